import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';

/** Programs of the person that a client starts by itself, by name: hooks, plugins and MCP servers. */
export interface OwnParts {
  readonly hooks: readonly string[];
  readonly plugins: readonly string[];
  readonly servers: readonly string[];
}

export const NO_PARTS: OwnParts = { hooks: [], plugins: [], servers: [] };

/** A person's own parts, and whether they are active in the run. */
export interface OwnPartsOfRun {
  readonly act: boolean;
  readonly parts: OwnParts;
}

/** Clients whose own parts can be switched off for one run. */
export const SWITCHABLE = ['claude', 'codex'] as const;
export type Switchable = (typeof SWITCHABLE)[number];

export function isSwitchable(client: string): client is Switchable {
  return SWITCHABLE.some((one) => one === client);
}

/** Files in the client's folder that name such parts, as JSON or TOML. */
export const PART_FILES: Readonly<Record<Switchable, readonly string[]>> = {
  claude: ['settings.json'],
  codex: ['config.toml', 'hooks.json'],
};

/**
 * Parses the parts in these files, given by file name; a missing or unreadable file contains none. MCP servers that a
 * person added to Claude Code are omitted: no run starts them, because Troupe passes its own list of servers.
 */
export function ownParts(client: Switchable, files: Readonly<Record<string, JsonObject | undefined>>): OwnParts {
  const at = (file: string, key: string): JsonObject => objectOf(files[file]?.[key]);
  if (client === 'claude') {
    const plugins = Object.entries(at('settings.json', 'enabledPlugins')).filter(([, on]) => on !== false);
    return { hooks: Object.keys(at('settings.json', 'hooks')), plugins: plugins.map(([name]) => name), servers: [] };
  }
  const servers = Object.entries(at('config.toml', 'mcp_servers')).filter(
    ([, of]) => objectOf(of)['enabled'] !== false,
  );
  const notify = files['config.toml']?.['notify'] === undefined ? [] : ['notify'];
  const events = [...Object.keys(at('hooks.json', 'hooks')), ...Object.keys(at('config.toml', 'hooks'))];
  return { hooks: [...new Set([...notify, ...events])], plugins: [], servers: servers.map(([name]) => name) };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether the name of an MCP server can be written on codex's command line; any other server stays on. */
export function canBeSaid(server: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(server);
}

/**
 * Text about a person's own parts, whether they are active in runs, and the command that changes this; undefined if
 * there are none.
 */
export function partsSentence(client: Switchable, { act, parts }: OwnPartsOfRun): string | undefined {
  const stubborn = act ? [] : parts.servers.filter((name) => !canBeSaid(name));
  const kinds = [
    ['hooks', parts.hooks],
    ['plugins', parts.plugins],
    ['tool servers', parts.servers.filter((name) => !stubborn.includes(name))],
  ] as const;
  const named = kinds.flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind} ${shown(names)}`])).join('; ');
  const change = `\`troupe config set clients.${client}.own_hooks ${act ? 'false' : 'true'}\``;
  const sentences = [
    ...(named === '' || !act
      ? []
      : [`Your own ${client} settings act in every run: ${named}. ${change} switches them off.`]),
    ...(named === '' || act
      ? []
      : [`Of your own ${client} settings, runs leave out: ${named}. ${change} lets them act.`]),
    ...(stubborn.length === 0
      ? []
      : [`The tool servers ${shown(stubborn)} act in every run: codex cannot leave them out.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function shown(names: readonly string[]): string {
  return names.map((name) => inert(name)).join(', ');
}
