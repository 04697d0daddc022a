package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// machine is what there is to say about where a run took place, without its name.
// What the system does not tell is empty.
type machine struct {
	system, kernel, processor string
	processors                int
	memory                    uint64 // in bytes
	fileSystem                string // of the folder that everything works in
	goVersion                 string
	// load is how many processes wanted a processor in the minute before.
	load string
}

func thisMachine(ctx context.Context, dir string) machine {
	m := machine{
		system:     runtime.GOOS + "/" + runtime.GOARCH,
		processors: runtime.NumCPU(),
		goVersion:  runtime.Version(),
	}
	if runtime.GOOS == "darwin" {
		m.kernel = sysctl(ctx, "kern.osrelease")
		m.processor = sysctl(ctx, "machdep.cpu.brand_string")
		m.memory, _ = strconv.ParseUint(sysctl(ctx, "hw.memsize"), 10, 64) // 0 is not known
		return m
	}
	m.kernel = strings.TrimSpace(readProc("sys/kernel/osrelease"))
	m.processor = modelName(readProc("cpuinfo"))
	m.memory = totalMemory(readProc("meminfo"))
	m.load = firstField(readProc("loadavg"))
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		m.fileSystem = fileSystemOf(readProc("self/mounts"), real)
	}
	return m
}

// readProc is empty where there is no such file.
func readProc(name string) string {
	raw, err := os.ReadFile("/proc/" + name)
	if err != nil {
		return ""
	}
	return string(raw)
}

func sysctl(ctx context.Context, name string) string {
	out, err := exec.CommandContext(ctx, "sysctl", "-n", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// modelName is the first processor's in /proc/cpuinfo, which not every
// architecture names.
func modelName(cpuinfo string) string {
	return valueOf(cpuinfo, "model name")
}

// totalMemory is MemTotal of /proc/meminfo in bytes.
func totalMemory(meminfo string) uint64 {
	kilobytes, err := strconv.ParseUint(strings.TrimSuffix(valueOf(meminfo, "MemTotal"), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

func firstField(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

func valueOf(text, key string) string {
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// fileSystemOf is the kind of the last of the longest mount points that hold the
// folder: a later mount hides an earlier one.
func fileSystemOf(mounts, folder string) string {
	kind, longest := "", 0
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		point := strings.ReplaceAll(fields[1], `\040`, " ")
		if len(point) >= longest && within(folder, point) {
			kind, longest = fields[2], len(point)
		}
	}
	return kind
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// isBusy reports whether the machine had as much to do already as it has
// processors. What takes long then waits often, what is brief seldom, so that
// the figures of the slower contestants are too large.
func (m machine) isBusy() bool {
	load, err := strconv.ParseFloat(m.load, 64)
	return err == nil && load >= float64(m.processors)
}

// facts are the names and values of what is known.
func (m machine) facts() [][2]string {
	var memory string
	if m.memory > 0 {
		memory = fmt.Sprintf("%.1f GB", float64(m.memory)/(1<<30))
	}
	var known [][2]string
	for _, fact := range [][2]string{
		{"system", m.system},
		{"kernel", m.kernel},
		{"processor", m.processor},
		{"processors", fmt.Sprint(m.processors)},
		{"memory", memory},
		{"file system", m.fileSystem},
		{"Go", strings.TrimPrefix(m.goVersion, "go")},
		{"load in the minute before", m.load},
	} {
		if fact[1] != "" {
			known = append(known, fact)
		}
	}
	return known
}
