import type { Act } from './declaration.js';

/**
 * Requests to the service itself, in addition to operations, at the socket and over HTTP. As in the tables of
 * operations, a write without `forRuns` is only for people.
 */
export const SERVICE_REQUESTS = {
  graph_changed: { command: 'service status', kind: 'read' },
  status: { command: 'service status', kind: 'read' },
  agents: { command: 'agents', kind: 'read' },
  heartbeat: { command: 'agents', kind: 'write', forRuns: 'own' },
  // A run whose command asks a model spends within the same budget as others.
  reserve_model: { command: 'spend', kind: 'write', forRuns: 'any' },
  settle_model: { command: 'spend', kind: 'write', forRuns: 'any' },
  tick: { command: 'service tick', kind: 'write' },
  pause: { command: 'service pause', kind: 'write' },
  resume: { command: 'service resume', kind: 'write' },
  reconfigure: { command: 'service reload', kind: 'write' },
  spawn: { command: 'spawn', kind: 'write', scope: 'leader' },
  dashboard: { command: 'dashboard', kind: 'write' },
  shutdown: { command: 'service stop', kind: 'write' },
} as const satisfies Readonly<Record<string, Act>>;

export type ServiceRequestName = keyof typeof SERVICE_REQUESTS;
