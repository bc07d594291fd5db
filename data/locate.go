package data

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Locate returns the file of a data set, NAME.csv or NAME.csv.gz. It looks in dir;
// where dir is empty in $SML_DATA, then in the folder sml of the user's cache
// directory. The error names every place looked in.
func Locate(name, dir string) (path string, err error) {
	d, err := Lookup(name)
	if err != nil {
		return "", err
	}
	if d.Make != nil {
		return "", fmt.Errorf("the data set %s is made: it has no file", name)
	}
	dirs := []string{dir}
	if dir == "" {
		dirs = nil
		if env := os.Getenv("SML_DATA"); env != "" {
			dirs = append(dirs, env)
		}
		if cache, err := os.UserCacheDir(); err == nil {
			dirs = append(dirs, filepath.Join(cache, "sml"))
		}
	}
	var tried []string
	for _, d := range dirs {
		for _, ending := range []string{".csv", ".csv.gz"} {
			path := filepath.Join(d, name+ending)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path, nil
			}
			tried = append(tried, path)
		}
	}
	return "", fmt.Errorf("data set %s not found; looked for %s; put the file there, or give its folder as data directory or in $SML_DATA",
		name, strings.Join(tried, ", "))
}
