import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { personHere } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { systemClock } from '#kernel/clock.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { listenAddressOf } from '#main/listen-address.js';
import { accessTokensOf } from '#main/persisted-state.js';
import { knownCaller, PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Project } from '#ports/project.js';
import type { ListenOptions } from '#surfaces/cli/host.js';
import { type HttpOptions, type HttpServer, startHttp } from '#surfaces/http/server.js';

type Given = 'call' | 'callerAt' | 'follow' | 'engine' | 'memory';

/** Starts the HTTP server of a service; its tokens for this machine are made again with each start. */
export async function startHttpOf(
  project: Project,
  listen: ListenOptions | undefined,
  { note, ...parts }: Pick<HttpOptions, Given> & { readonly note: (text: string) => void },
): Promise<HttpServer> {
  const { layout } = project;
  const [token, viewerToken] = [layout.token, layout.viewerToken].map((file) => {
    const fresh = randomBytes(32).toString('base64url');
    writeFileSync(file, fresh, { mode: PRIVATE_FILE });
    chmodSync(file, PRIVATE_FILE);
    return fresh;
  }) as [string, string];
  const folder = projectFolderOf(project);
  const { name } = await knownCaller(personHere(process.env), folder);
  return await startHttp({
    ...parts,
    project: { name: path.basename(folder), folder },
    person: { kind: 'person', name },
    webFolder: PLACES.web,
    token,
    viewerToken,
    tokens: accessTokensOf(project, new ProcessTable()),
    listen: listen && listenAddressOf(listen),
    clock: systemClock,
    report: (error) => note(`http: ${(error as Error).message}`),
  });
}
