import type { ListedWorker, ProjectMachines, Storages } from '#ports/storage.js';

const PROJECT = 'shop';

/** A project in files; `holder` describes the process that holds it. */
export function inFiles(holder: string): Storages {
  return { named: undefined, files: { graph: { holder: async () => holder } } } as unknown as Storages;
}

/** A project in a database of which only the machines are known. */
export function inDatabase(machines: () => ProjectMachines): Storages {
  const database = async () => ({
    machines: async () => machines(),
    workers: async () => machines().workers,
    leaders: async () => [],
  });
  return { named: PROJECT, choice: { read: () => ({ project: PROJECT }) }, database } as unknown as Storages;
}

/** A running, idle worker. */
export function listedWorker(name: string, fields: Partial<ListedWorker> = {}): ListedWorker {
  return {
    ...{ name, at: `${name}.example.org`, version: '0.1.0', slots: 4, labels: [], executors: ['claude'], leaders: [] },
    ...{ seenAt: 0, silent: false, unagreed: false, asked: 'work', attempts: [], ...fields },
  };
}

/** A project with one leader and no other machine. */
export function machinesWith(now: number, fields: Partial<ProjectMachines> = {}): ProjectMachines {
  const place = { place: 'db.example.org:5432/troupe', server: '15.8', state: 'in-use', tables: 'current' } as const;
  return {
    standing: { ...place, seq: 12, epoch: 3, leader: 'process 4312 on desk', reading: undefined },
    ...{ standbys: [], workers: [], refused: { total: 0, latest: [] }, now },
    ...fields,
  };
}
