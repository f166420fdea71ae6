import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { RemoteRequests } from '#ports/remote-requests.js';
import type { Service } from '#ports/service.js';

/** For a project stored in files on one machine. */
const NO_REMOTE_REQUESTS: RemoteRequests = {
  ask: async () => ({ state: 'absent' }),
  serve: async () => undefined,
  leaders: async () => ({ leader: undefined, epoch: 0, standbys: [] }),
  standBy: async () => 0,
  standDown: async () => undefined,
  close: async () => undefined,
};

const NO_REMOTE_LEADER: Service = {
  ask: async () => ({ state: 'absent' }),
  up: async () => undefined,
  notify: async () => false,
  watch: () => () => false,
};

/** Channel between the machines of a project, for requests to its leader. */
export async function remoteRequestsOf(project: Project): Promise<RemoteRequests> {
  const { store } = project;
  if (store.kind === 'files') return NO_REMOTE_REQUESTS;
  return (await import('#main/remote-requests.js')).openRemoteRequests(project, store.name);
}

/** The project's leader on another machine, called on behalf of an authenticated caller. */
export async function remoteLeaderOf(project: Project, caller: Caller): Promise<Service> {
  const { store } = project;
  if (store.kind === 'files') return NO_REMOTE_LEADER;
  return (await import('#main/remote-requests.js')).remoteServiceFor(project, store.name, async () => caller);
}
