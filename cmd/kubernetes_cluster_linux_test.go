//go:build kubernetes

package cmd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// kubeCluster is a Kubernetes cluster on the loopback interface: a real control plane, and
// a node that runs pods as processes of this machine.
type kubeCluster struct {
	t       *testing.T
	folder  string // files of the control plane
	volume  string // folder of studies, which is the volume of the claim kubeClaim
	mount   string // path at which pods see the volume
	program string // sml, which takes the place of the image's
	api     *kubeAPI
	node    *kubeNode
}

// kubeClaim is the name of the PersistentVolumeClaim of the volume.
const kubeClaim = "studies"

// newKubeCluster starts a cluster, which ends with the test.
func newKubeCluster(t *testing.T) kubeCluster {
	programs := os.Getenv("SML_KUBERNETES")
	if programs == "" {
		t.Fatal("SML_KUBERNETES is not set: run \"make kubernetes\", which sets it to the folder that bench/kubernetes/build prints")
	}
	for _, program := range []string{"etcd", "kubectl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("there is no %s: install etcd-server and kubernetes-client", program)
		}
	}
	k := kubeCluster{t: t, folder: t.TempDir(), volume: t.TempDir(), program: built(t)}
	k.mount = filepath.Join(k.folder, "mount")
	k.startControlPlane(programs)
	t.Setenv("KUBECONFIG", filepath.Join(k.folder, "kubeconfig"))
	t.Setenv("KUBECACHEDIR", filepath.Join(k.folder, "kubectl"))
	k.createVolume()
	k.node = startKubeNode(k)
	return k
}

// in returns the cluster for a part of the test.
func (k kubeCluster) in(t *testing.T) kubeCluster {
	k.t = t
	return k
}

// startControlPlane starts etcd, the API server, the controllers that jobs need and the
// scheduler. They listen on the loopback interface alone.
func (k *kubeCluster) startControlPlane(programs string) {
	k.t.Helper()
	token := rand.Text()
	k.write("tokens.csv", token+`,admin,admin,"system:masters"`+"\n")
	k.write("accounts.key", newKey(k.t))
	addresses := freeAddresses(k.t, 3)
	etcd, peers, server := "http://"+addresses[0], "http://"+addresses[1], "https://"+addresses[2]
	k.start("etcd", "--data-dir=etcd", "--unsafe-no-fsync",
		"--listen-client-urls="+etcd, "--advertise-client-urls="+etcd,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers)
	_, port, _ := net.SplitHostPort(addresses[2])
	k.start(filepath.Join(programs, "kube-apiserver"), "--etcd-servers="+etcd,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port="+port,
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.99.0.0/24", "--cert-dir=certificates",
		"--authorization-mode=AlwaysAllow", "--anonymous-auth=false", "--token-auth-file=tokens.csv",
		"--service-account-issuer="+server, "--service-account-key-file=accounts.key", "--service-account-signing-key-file=accounts.key",
		// Pods have no account, and nobody would take the taint of a new node away.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")
	k.api = &kubeAPI{url: server, token: token, authority: filepath.Join(k.folder, "certificates", "apiserver.crt")}
	k.waitForAPI()
	k.write("kubeconfig", fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: admin, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
`, server, k.api.authority, token))
	k.start(filepath.Join(programs, "kube-controller-manager"), "--kubeconfig=kubeconfig", "--secure-port=0", "--leader-elect=false",
		"--controllers=job-controller,garbage-collector-controller,persistentvolume-binder-controller")
	k.start(filepath.Join(programs, "kube-scheduler"), "--kubeconfig=kubeconfig", "--secure-port=0", "--leader-elect=false")
}

// start starts a program of the control plane, which ends with the test. If the test fails,
// the end of the program's output is logged.
func (k *kubeCluster) start(program string, args ...string) {
	k.t.Helper()
	name := filepath.Base(program)
	log, err := os.Create(filepath.Join(k.folder, name+".log"))
	if err != nil {
		k.t.Fatal(err)
	}
	c := exec.Command(program, args...)
	c.Dir, c.Stdout, c.Stderr = k.folder, log, log
	endWithParent(c)
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		log.Close()
		if k.t.Failed() {
			const most = 2000 // bytes
			text := readFile(k.t, log.Name())
			k.t.Logf("%s: …%s", name, text[max(0, len(text)-most):])
		}
	})
}

// endWithParent makes the kernel kill the process when the test's own process ends, even
// after a panic or kill -9, when no cleanup runs.
func endWithParent(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// waitForAPI waits until the API server answers and has made its first namespace.
func (k *kubeCluster) waitForAPI() {
	k.t.Helper()
	const limit = 2 * time.Minute
	var err error
	for start := time.Now(); time.Since(start) < limit; time.Sleep(200 * time.Millisecond) {
		if err = k.api.call(http.MethodGet, "/readyz", nil, nil); err == nil {
			err = k.api.call(http.MethodGet, "/api/v1/namespaces/default", nil, nil)
		}
		if err == nil {
			return
		}
	}
	k.t.Fatalf("the API server is not ready after %v: %v", limit, err)
}

// createVolume creates the volume and its claim, which the controllers bind to each other.
func (k *kubeCluster) createVolume() {
	k.t.Helper()
	type object = map[string]any
	size, modes := object{"storage": "1Gi"}, []string{"ReadWriteMany"}
	k.create("/api/v1/persistentvolumes", object{
		"metadata": object{"name": kubeClaim},
		"spec": object{
			"capacity":         size,
			"accessModes":      modes,
			"hostPath":         object{"path": k.volume},
			"storageClassName": "",
		},
	})
	k.create("/api/v1/namespaces/default/persistentvolumeclaims", object{
		"metadata": object{"name": kubeClaim},
		"spec": object{
			"accessModes":      modes,
			"resources":        object{"requests": size},
			"volumeName":       kubeClaim,
			"storageClassName": "",
		},
	})
}

func (k *kubeCluster) create(path string, object any) {
	k.t.Helper()
	if err := k.api.call(http.MethodPost, path, object, nil); err != nil {
		k.t.Fatal(err)
	}
}

// write writes a file of the control plane, for the user alone.
func (k *kubeCluster) write(name, text string) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.folder, name), []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

// newKey returns a private key in PEM, with which the API server signs tokens.
func newKey(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: text}))
}

// freeAddresses returns addresses of the loopback interface at which nobody listens.
func freeAddresses(t *testing.T, n int) []string {
	t.Helper()
	var addresses []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // when all have been found, so that they differ
		addresses = append(addresses, l.Addr().String())
	}
	return addresses
}

// kubeAPI is a client of the API server.
type kubeAPI struct {
	url, token string
	authority  string // file of the authority's certificate, which the server writes when it starts
	client     *http.Client
}

// call sends a request and decodes its JSON answer. Without a body nothing is sent, and
// without an answer nothing is decoded. A PATCH is a merge patch.
func (a *kubeAPI) call(method, path string, body, answer any) error {
	if err := a.connect(); err != nil {
		return err
	}
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, a.url+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+a.token)
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return &kubeError{method, path, response.StatusCode, strings.TrimSpace(string(text))}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// connect makes the client, which trusts the server's own authority alone.
func (a *kubeAPI) connect() error {
	if a.client != nil {
		return nil
	}
	text, err := os.ReadFile(a.authority)
	if err != nil {
		return err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s has no certificate", a.authority)
	}
	a.client = &http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}},
	}
	return nil
}

// kubeError is an error with which the API server answers.
type kubeError struct {
	method, path string
	status       int
	text         string
}

func (e *kubeError) Error() string {
	return fmt.Sprintf("%s %s: status %d: %.500s", e.method, e.path, e.status, e.text)
}
