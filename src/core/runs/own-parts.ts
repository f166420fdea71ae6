import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';

/** Programs of the person that a client starts by itself, by their names: at events, from plugins, as servers of tools. */
export interface OwnParts {
  readonly hooks: readonly string[];
  readonly plugins: readonly string[];
  readonly servers: readonly string[];
}

export const NO_PARTS: OwnParts = { hooks: [], plugins: [], servers: [] };

/** The parts of a person in a run, and whether they act there. */
export interface OwnPartsOfRun {
  readonly act: boolean;
  readonly parts: OwnParts;
}

/** Clients whose parts can be switched off for one run. */
export const SWITCHABLE = ['claude', 'codex'] as const;
export type Switchable = (typeof SWITCHABLE)[number];

export function isSwitchable(client: string): client is Switchable {
  return SWITCHABLE.some((one) => one === client);
}

/** The files below the client's own folder that name such parts, as JSON or TOML. */
export const PART_FILES: Readonly<Record<Switchable, readonly string[]>> = {
  claude: ['settings.json'],
  codex: ['config.toml', 'hooks.json'],
};

/**
 * The parts that these files name, by file name; a file that is missing or unreadable names none. Servers of tools that a person gave
 * to Claude Code are left out: no run starts them, since its own are all that it is told of.
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

/** A tool server whose name the command line of codex can say; any other stays on. */
export function canBeSaid(server: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(server);
}

/** What they are, what becomes of them in runs, and the command that changes it; undefined where the person has no such parts. */
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
