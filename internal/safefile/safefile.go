// Package safefile writes files and directories so that a reader finds either the old content or the
// complete new one, even if the writer is killed: content is written to a temporary file, synced and
// renamed. Start with Write for a file that a user names, with WriteDir for a directory, and with
// Read for a file that may be anything. The package replaces and deletes only files that its caller
// declares to be its own; it does not merge contents.
//
// A replaced file keeps its permissions; the permissions of a new file follow from the umask.
package safefile

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the file at path by the content that write writes. If it returns an error, the old
// file is unchanged and no temporary file is left. It follows a symbolic link, and writes directly to
// a device or a pipe.
func Write(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return writeDirectly(path, write)
	}
	return writeAndMove(followLinks(path), write, os.Rename)
}

// Create writes a new file at path. It returns an error that wraps fs.ErrExist if something exists
// at path, or appears there while write runs. It writes directly to a device or a pipe.
func Create(path string, write func(io.Writer) error) error {
	if err := CheckCreatable(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return writeAndMove(path, write, renameNew)
	}
	if info.Mode().IsRegular() || info.IsDir() { // it has appeared since the check
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return writeDirectly(path, write)
}

// Replace is Write for files in a directory that belongs to the program: it replaces symbolic links,
// devices and pipes instead of writing through them.
func Replace(path string, write func(io.Writer) error) error {
	return writeAndMove(path, write, os.Rename)
}

// WriteBytes returns a function that writes text, to be passed to Write, Create or Replace.
func WriteBytes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// writeAndMove writes a temporary file beside path and moves it to path with the function move. If it
// returns an error, it has removed the temporary file.
func writeAndMove(path string, write func(io.Writer) error, move func(oldName, newName string) error) error {
	path = ResolveDotDot(path)
	mode := fs.FileMode(0o666) // the umask applies to it
	old, err := os.Lstat(path)
	if err == nil && old.Mode().IsRegular() {
		mode = old.Mode().Perm()
	}
	f, err := createTemporary(path, mode)
	if err != nil {
		return err
	}
	if err := fillAndMove(f, path, write, move); err != nil {
		f.Close()
		os.Remove(f.Name())
		return err
	}
	dir := filepath.Dir(path)
	if IsTemporary(filepath.Base(dir)) {
		return nil // WriteDir syncs the directory when it is complete
	}
	return syncDir(dir)
}

// fillAndMove writes and syncs the temporary file f, gives it the permissions of the file at path,
// and moves it to path.
func fillAndMove(f *os.File, path string, write func(io.Writer) error, move func(oldName, newName string) error) error {
	if err := write(f); err != nil {
		return err
	}
	copyPermissions(f.Name(), path) // the umask may have removed some of them when f was created
	if err := f.Sync(); err != nil {
		return err
	}
	return moveFile(f, path, move)
}

// moveFile moves an open file to path and closes it. Where the system allows it, the file keeps
// its lock until it has been moved.
func moveFile(f *os.File, path string, move func(oldName, newName string) error) error {
	if canRenameOpenFiles {
		return cmp.Or(move(f.Name(), path), f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return move(f.Name(), path)
}

// writeDirectly writes to an existing device or pipe.
func writeDirectly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return cmp.Or(write(f), f.Close())
}

// maxLinks is the maximum number of symbolic links that Linux follows in one path.
const maxLinks = 40

// followLinks returns the path that a chain of symbolic links leads to. Nothing needs to exist at
// that path.
func followLinks(path string) string {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target
	}
	for range maxLinks { // the last link leads to a file that does not exist yet
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			// filepath.Join would shorten "..", which must be resolved in the link's directory.
			target = filepath.Dir(path) + string(filepath.Separator) + target
		}
		path = target
	}
	return path
}

// CheckCreatable returns an error that wraps fs.ErrExist if a file or directory exists at path, which
// Create would refuse to replace. Devices and pipes can always be written to.
func CheckCreatable(path string) error {
	info, err := os.Stat(path)
	isDeviceOrPipe := err == nil && !info.Mode().IsRegular() && !info.IsDir()
	if isDeviceOrPipe {
		return nil
	}
	return CheckAbsent(path)
}

// CheckWritable returns an error if Write cannot write to path: for example, because its directory
// does not exist or is not writable, or its name is too long. It creates and removes a temporary
// file to find out.
func CheckWritable(path string) error {
	info, err := os.Stat(path)
	isAbsent := errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a directory; want a file")}
	case err == nil && !info.Mode().IsRegular(): // a device or a pipe
		return nil
	case err != nil && !isAbsent:
		return err
	case isAbsent && os.IsPathSeparator(path[len(path)-1]):
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it ends in a slash; want the name of a file")}
	}
	f, err := createTemporary(ResolveDotDot(followLinks(path)), 0o600)
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// syncDir makes renames in dir durable: they survive a crash of the system. It ignores the error of
// a file system that cannot sync directories, and a directory that may be written but not read.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Sync()
	return f.Close()
}
