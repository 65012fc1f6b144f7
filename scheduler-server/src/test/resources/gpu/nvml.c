/* The functions of NVIDIA's management library that the tests need, for a machine that has none of it:
   three GPUs, of which 0 and 1 are joined by two links and 2 is divided into two parts. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { int gpu; int part; } device;
static device devices[5] = {{0, -1}, {1, -1}, {2, -1}, {2, 0}, {2, 1}};
static const char *buses[3] = {"00000000:07:00.0", "00000000:0F:00.0", "00000000:47:00.0"};
static unsigned set_mem, set_gfx;

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int e) { return e == 3 ? "Not Supported" : "Unknown Error"; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 3; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, device **d) { if (i > 2) return 2; *d = &devices[i]; return 0; }

int nvmlDeviceGetName(device *d, char *s, unsigned n) {
  snprintf(s, n, d->part < 0 ? "NVIDIA A100-SXM4-40GB" : "NVIDIA A100-SXM4-40GB MIG %s", d->part == 0 ? "3g.20gb" : "1c.3g.20gb");
  return 0;
}

int nvmlDeviceGetUUID(device *d, char *s, unsigned n) {
  if (d->part < 0) snprintf(s, n, "GPU-0000-%d", d->gpu); else snprintf(s, n, "MIG-0000-%d-%d", d->gpu, d->part);
  return 0;
}

typedef struct { char legacy[16]; unsigned domain, bus, device, id, sub; char bus_id[32]; } pci;
int nvmlDeviceGetPciInfo_v3(device *d, pci *p) { memset(p, 0, sizeof *p); strcpy(p->bus_id, buses[d->gpu]); return 0; }

/* The device files are numbered in another order than the bus. */
int nvmlDeviceGetMinorNumber(device *d, unsigned *n) { *n = 6 - d->gpu; return 0; }

int nvmlDeviceGetCpuAffinity(device *d, unsigned words, unsigned long *set) {
  memset(set, 0, words * sizeof *set);
  set[0] = d->gpu < 2 ? 0x0FUL : 0xF0UL;
  return 0;
}

/* Links 0 and 1 of the first two lead to each other, link 2 to a switch, link 3 is down. */
int nvmlDeviceGetNvLinkState(device *d, unsigned link, unsigned *on) {
  if (d->gpu == 2 || link > 3) return 3;
  *on = link < 3;
  return 0;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(device *d, unsigned link, pci *p) {
  memset(p, 0, sizeof *p);
  strcpy(p->bus_id, link < 2 ? buses[1 - d->gpu] : "00000000:C4:00.0");
  return 0;
}

int nvmlDeviceGetMigMode(device *d, unsigned *now, unsigned *later) { *now = *later = d->gpu == 2; return 0; }
int nvmlDeviceGetMaxMigDeviceCount(device *d, unsigned *n) { *n = 7; return 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(device *d, unsigned i, device **part) {
  if (i > 1) return 6;
  *part = &devices[3 + i];
  return 0;
}
int nvmlDeviceGetGpuInstanceId(device *d, unsigned *n) { *n = 1 + d->part; return 0; }
int nvmlDeviceGetComputeInstanceId(device *d, unsigned *n) { *n = 0; return 0; }
