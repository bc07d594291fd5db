package read

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sml/data"
)

// ErrNoFile is wrapped by the error of a data set whose file is nowhere.
var ErrNoFile = errors.New("not found")

// Folders are the folders that the files of data sets are looked for in, in this
// order: dir; where dir is empty $SML_DATA, then the folder sml of the user's cache
// directory. There may be none.
func Folders(dir string) []string {
	if dir != "" {
		return []string{dir}
	}
	var dirs []string
	if env := os.Getenv("SML_DATA"); env != "" {
		dirs = append(dirs, env)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(cache, "sml"))
	}
	return dirs
}

// Locate returns the file of a data set, NAME.csv or NAME.csv.gz, that is found
// first in the Folders of dir. The error, which wraps ErrNoFile, names every place
// looked in.
func Locate(name, dir string) (path string, err error) {
	d, err := data.Lookup(name)
	if err != nil {
		return "", err
	}
	if d.Make != nil {
		return "", fmt.Errorf("the data set %s is made: it has no file", name)
	}
	var tried []string
	for _, d := range Folders(dir) {
		for _, ending := range []string{".csv", ".csv.gz"} {
			path := filepath.Join(d, name+ending)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path, nil
			}
			tried = append(tried, path)
		}
	}
	return "", fmt.Errorf("data set %s %w; looked for %s; put the file there, or give its folder as data directory or in $SML_DATA",
		name, ErrNoFile, strings.Join(tried, ", "))
}
