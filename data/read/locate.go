package read

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sml/data"
)

// ErrNoFile is wrapped by the error for a data set whose file is not found.
var ErrNoFile = errors.New("not found")

// SearchFolders returns the folders where Locate looks for the files of data sets, in this order: dir
// or, if dir is empty, $SML_DATA and then the folder sml of the user's cache directory. The list
// may be empty.
func SearchFolders(dir string) []string {
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

// Locate returns the path of a data set's file: the first NAME.csv or NAME.csv.gz in the
// Folders of dir. If there is none, the error wraps ErrNoFile and names every path that was
// tried.
func Locate(name, dir string) (path string, err error) {
	d, err := data.Lookup(name)
	if err != nil {
		return "", err
	}
	if d.Make != nil {
		return "", fmt.Errorf("the data set %s is made: it has no file", name)
	}
	var tried []string
	for _, d := range SearchFolders(dir) {
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
