package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatProcTells(t *testing.T) {
	cpuinfo := "processor\t: 0\nvendor_id\t: X\nmodel name\t: A Processor @ 2.0GHz\n\nprocessor\t: 1\nmodel name\t: Another\n"
	require.Equal(t, "A Processor @ 2.0GHz", modelName(cpuinfo))
	require.Empty(t, modelName("processor\t: 0\nBogoMIPS\t: 50.00\n"), "not every architecture names it")

	require.EqualValues(t, 24_684_000<<10, totalMemory("MemTotal:       24684000 kB\nMemFree:  1 kB\n"))
	require.Zero(t, totalMemory(""))
	require.Zero(t, totalMemory("MemTotal: much\n"))

	require.Equal(t, "0.53", firstField("0.53 1.86 0.99 1/90 123\n"))
	require.Empty(t, firstField(""))
}

func TestTheFileSystemOfAFolder(t *testing.T) {
	const mounts = "/dev/vda / ext4 rw 0 0\nproc /proc proc rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n" +
		"overlay /tmp/deep overlay rw 0 0\n/dev/vdb /with\\040blank xfs rw 0 0\n/dev/vdc /home btrfs rw 0 0\n/dev/vdd /home zfs rw 0 0\nbroken\n"
	for folder, want := range map[string]string{
		"/tmp": "tmpfs", "/tmp/x/y": "tmpfs", "/tmp/deep/x": "overlay", "/tmpfoo": "ext4", "/": "ext4",
		"/with blank/x": "xfs", "/home/x": "zfs",
	} {
		require.Equal(t, want, fileSystemOf(mounts, folder), folder)
	}
	require.Empty(t, fileSystemOf("", "/tmp"))
}

func TestOnlyWhatIsKnownIsSaid(t *testing.T) {
	m := machine{system: "plan9/arm", processors: 3, goVersion: "go1.99"}
	require.Equal(t, [][2]string{{"system", "plan9/arm"}, {"processors", "3"}, {"Go", "1.99"}}, m.facts())
}

func TestThisMachine(t *testing.T) {
	m := thisMachine(t.Context(), t.TempDir())
	require.Equal(t, runtime.GOOS+"/"+runtime.GOARCH, m.system)
	require.Positive(t, m.processors)
	if runtime.GOOS != "linux" {
		return
	}
	require.NotEmpty(t, m.kernel)
	require.NotEmpty(t, m.fileSystem)
	require.Greater(t, m.memory, uint64(64<<20))
	host, err := os.Hostname()
	require.NoError(t, err)
	for _, fact := range m.facts() {
		require.NotEqual(t, host, fact[1])
	}
}
