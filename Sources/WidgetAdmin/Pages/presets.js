// Widgets to begin with: one or more for each template. Dates are counted from the clock at which one is chosen.

const minute = 60_000;
const hour = 60 * minute;

const at = (now, milliseconds) => new Date(now + milliseconds).toISOString();

export const presets = [
  {
    title: "On-call pages", template: "progress",
    make: () => ({
      slug: "oncall-pages", name: "On-call pages", push_throttle: 5, stale_after: 900,
      content: {
        template: "progress", value: 0.6, label: "Pages", subtitle: "6 of 10 acknowledged", icon: "bolt.fill",
        severity: "warning",
        stat_rows: [{ label: "Acked", value: "6" }, { label: "Open", value: "4" }, { label: "Oldest", value: "12", unit: "min" }],
      },
    }),
  },
  {
    title: "Maintenance window", template: "progress",
    make: (now) => ({
      slug: "maintenance", name: "Maintenance window",
      content: {
        template: "progress", label: "Maintenance", subtitle: "Database upgrade", icon: "clock.fill", accent_color: "indigo",
        start_date: at(now, -30 * minute), end_date: at(now, 90 * minute),
      },
    }),
  },
  {
    title: "Certificate renewal", template: "countdown",
    make: (now) => ({
      slug: "certificate", name: "Certificate renewal",
      content: {
        template: "countdown", label: "Certificate", subtitle: "api.example.com", icon: "lock.fill",
        expired_text: "Renewing", start_date: at(now, -10 * minute), end_date: at(now, 2 * minute),
      },
    }),
  },
  {
    title: "Queue depth", template: "value",
    make: () => ({
      slug: "queue-depth", name: "Queue depth",
      content: {
        template: "value", value: 12345, unit: "jobs", label: "Queue depth", trend: "down", min_value: 0, max_value: 50000,
        subtitle: "4 workers",
      },
    }),
  },
  {
    title: "Service status", template: "status",
    make: () => ({
      slug: "api-status", name: "API",
      content: { template: "status", label: "Degraded", subtitle: "eu-west · p99 840 ms · 2 incidents", severity: "critical" },
    }),
  },
  {
    title: "Disk use", template: "gauge",
    make: () => ({
      slug: "disk", name: "Disk", content: {
        template: "gauge", value: 71.5, min_value: 0, max_value: 100, unit: "%", label: "Disk /var",
      },
    }),
  },
  {
    title: "Cluster figures", template: "stat_list",
    make: (now) => ({
      slug: "cluster", name: "Cluster",
      content: {
        template: "stat_list", label: "Cluster",
        stat_rows: [
          { label: "Nodes", value: "12" }, { label: "Pods", value: "348" }, { label: "CPU", value: "61", unit: "%" },
          { label: "Deploy", value: "soon", timer: { date: at(now, 25 * minute), style: "relative" } },
        ],
      },
    }),
  },
  {
    title: "Latency trend", template: "trend",
    make: () => ({
      slug: "latency", name: "Latency",
      content: {
        template: "trend", value: 212, unit: "ms", label: "Latency p95", trend: "up",
        points: [180, 176, 190, 184, 171, 188, 205, 198, 192, 207, 220, 212],
      },
    }),
  },
  {
    title: "Batteries", template: "battery",
    make: () => ({
      slug: "batteries", name: "Batteries",
      content: {
        template: "battery", label: "Scanners", device_sort: [{ field: "level" }],
        devices: [
          { name: "Dock 1", level: 18 }, { name: "Dock 2", level: 64, charging: true }, { name: "Handheld", level: 92 },
          { name: "Spare", level: 40, color: "orange" },
        ],
      },
    }),
  },
  {
    title: "Price schedule", template: "schedule",
    make: (now) => ({
      slug: "price", name: "Power price",
      content: {
        template: "schedule", label: "Power price", unit: "ct",
        periods: [12, 9, 8, 14, 21, 26, 19, 15].map((value, index) => ({
          start: at(now, (index - 2) * hour - 20 * minute), value, level: value < 10 ? "low" : value > 20 ? "high" : "medium",
        })),
      },
    }),
  },
  {
    title: "Energy flow", template: "flow",
    make: () => ({
      slug: "energy", name: "Energy",
      content: {
        template: "flow", label: "Energy", unit: "kW",
        flow: {
          inputs: [{ name: "Solar", rate: 4.2, total: 18.4, color: "yellow" }], exchange: { name: "Grid", rate: -1.1 },
          storage: { name: "Battery", rate: 0.9, level: 76 }, output: { name: "House", rate: 2.2, total: 11.9 },
        },
      },
    }),
  },
];
