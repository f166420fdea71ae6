import { OwnConfigFile } from '#adapters/settings/own-config-file.js';
import { configurationFolder, PLACES } from '#main/compose.js';
import type { ModelClientsOptions } from '#operations/coordinator/model-clients.js';

/** What model clients of a project need of this machine, whoever starts them. */
export function clientParts(projectFolder: string): Pick<ModelClientsOptions, 'tools' | 'own'> {
  return {
    tools: { command: process.execPath, args: [PLACES.command, 'mcp', '--dir', projectFolder] },
    own: new OwnConfigFile({ folder: configurationFolder(process.env), projectFolder }),
  };
}
