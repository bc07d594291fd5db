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

// SearchFolders returns the folders where Locate looks for the files of data sets, in order: only dir
// or, if dir is "", $SML_DATA and the folder sml of the user's cache directory. The list is empty if
// neither is known.
func SearchFolders(dir string) []string {
	if dir != "" {
		return []string{dir}
	}
	var folders []string
	if folder := os.Getenv("SML_DATA"); folder != "" {
		folders = append(folders, folder)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "sml"))
	}
	return folders
}

// Locate returns the path of a data set's file: the first NAME.csv or NAME.csv.gz in the folders
// that SearchFolders returns for dir. If there is none, the error wraps ErrNoFile and names every
// path that was tried. It is another error if the name is unknown or the data set is generated.
func Locate(name, dir string) (path string, err error) {
	d, err := data.Lookup(name)
	if err != nil {
		return "", err
	}
	if d.Make != nil {
		return "", fmt.Errorf("the data set %s is generated; it has no file", name)
	}
	var tried []string
	for _, folder := range SearchFolders(dir) {
		for _, extension := range []string{".csv", ".csv.gz"} {
			path := filepath.Join(folder, name+extension)
			info, err := os.Stat(path)
			if err == nil && !info.IsDir() {
				return path, nil
			}
			tried = append(tried, path)
		}
	}
	return "", fmt.Errorf("data set %s %w; looked for %s; put the file there, or give its folder as data directory or in $SML_DATA",
		name, ErrNoFile, strings.Join(tried, ", "))
}
