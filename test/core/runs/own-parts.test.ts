import { expect } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { canBeSaid, isSwitchable, NO_PARTS, ownParts, PART_FILES, partsSentence } from '#core/runs/own-parts.js';
import { settingsFrom } from '#core/settings/settings.js';
import { verifies } from '../../verifies.js';
import { planOf } from './plans.js';

const CLAUDE = {
  hooks: { Stop: [], PreToolUse: [] },
  enabledPlugins: { 'a@m': true, 'b@m': false },
  mcpServers: { x: {} },
};
const CODEX = { notify: ['bell'], mcp_servers: { mine: {}, 'a.b': {}, off: { enabled: false }, troupe: {} } };

verifies('door.own', 'hooks, plugins and tool servers are found in the settings of the client that starts them', () => {
  expect(ownParts('claude', { 'settings.json': CLAUDE })).toEqual({
    hooks: ['Stop', 'PreToolUse'],
    plugins: ['a@m'],
    servers: [],
  });
  expect(ownParts('codex', { 'config.toml': CODEX, 'hooks.json': { hooks: { Stop: [] } } })).toEqual({
    hooks: ['notify', 'Stop'],
    plugins: [],
    servers: ['mine', 'a.b', 'troupe'],
  });
  for (const client of ['claude', 'codex'] as const) {
    expect(ownParts(client, {})).toEqual(NO_PARTS);
    expect(
      ownParts(client, { 'settings.json': { hooks: 1, enabledPlugins: [] }, 'config.toml': { mcp_servers: 1 } }),
    ).toEqual(NO_PARTS);
  }
});

verifies('door.own', 'they are off unless the settings let them act', () => {
  const clients = (value: unknown) => settingsFrom(value).settings.clients;
  expect([clients({}).claude.own_hooks, clients({}).codex.own_hooks]).toEqual([false, false]);
  expect(clients({ clients: { claude: { own_hooks: true } } }).claude.own_hooks).toBe(true);

  const claude = ownParts('claude', { 'settings.json': CLAUDE });
  const codex = ownParts('codex', { 'config.toml': CODEX });
  const argsOf = (client: 'claude' | 'codex', act: boolean) =>
    EXECUTORS[client].prepare(planOf({ own: { act, parts: client === 'claude' ? claude : codex } })).args;
  const off = argsOf('claude', false);
  expect(JSON.parse(off[off.indexOf('--settings') + 1] ?? '')).toEqual({
    disableAllHooks: true,
    enabledPlugins: { 'a@m': false },
  });
  expect(argsOf('claude', true)).not.toContain('--settings');
  expect(argsOf('codex', false)).toEqual(
    expect.arrayContaining(['features.hooks=false', 'notify=[]', 'mcp_servers.mine.enabled=false']),
  );
  const servers = argsOf('codex', false).filter(
    (word) => word.startsWith('mcp_servers.') && word.endsWith('enabled=false'),
  );
  expect(servers, 'ours stays; a name with a dot cannot be said').toEqual(['mcp_servers.mine.enabled=false']);
  expect(argsOf('codex', true).join(' ')).not.toMatch(/enabled=false|features\.hooks|notify/);
});

verifies('door.own', 'a person reads what they are and how that is changed', () => {
  const parts = { hooks: ['Stop'], plugins: ['a@m'], servers: [] };
  expect(partsSentence('claude', { act: false, parts })).toBe(
    'Of your own claude settings, runs leave out: hooks Stop; plugins a@m. `troupe config set clients.claude.own_hooks true` lets them act.',
  );
  const servers = { ...NO_PARTS, servers: ['mine', 'a.b'] };
  expect(partsSentence('codex', { act: true, parts: servers })).toBe(
    'Your own codex settings act in every run: tool servers mine, a.b. `troupe config set clients.codex.own_hooks false` switches them off.',
  );
  expect(partsSentence('codex', { act: false, parts: servers })).toMatch(
    /leave out: tool servers mine\..* a\.b act in every run/,
  );
  expect(partsSentence('claude', { act: false, parts: NO_PARTS })).toBeUndefined();
});

verifies(
  'door.own',
  'they are looked for in the files of clients that can leave them out, with switches and notes',
  () => {
    expect(PART_FILES).toEqual({ claude: ['settings.json'], codex: ['config.toml', 'hooks.json'] });
    expect(['claude', 'codex', 'gemini', ''].map(isSwitchable)).toEqual([true, true, false, false]);
    expect(['mine', 'My_server-2', 'a.b', '', 'a b'].map(canBeSaid)).toEqual([true, true, false, false, false]);
    const config = {
      notify: null,
      hooks: { Stop: [], Start: [] },
      mcp_servers: { on: { enabled: true }, odd: 7, off: { enabled: false } },
    };
    expect(ownParts('codex', { 'config.toml': config, 'hooks.json': { hooks: { Stop: [] } } })).toEqual({
      ...{ hooks: ['notify', 'Stop', 'Start'], plugins: [], servers: ['on', 'odd'] },
    });
  },
);

verifies('door.own', 'each sentence about them, and none where there are none', () => {
  const parts = { hooks: ['Stop'], plugins: ['p@m', 'q'], servers: ['mine', 'a.b'] };
  const said = (act: boolean, more: Partial<typeof parts> = {}) =>
    partsSentence('codex', { act, parts: { ...parts, ...more } });
  const none = { hooks: [], plugins: [], servers: [] };
  expect([
    said(true),
    said(false),
    said(false, { ...none, servers: ['a.b'] }),
    said(true, none),
    said(false, none),
  ]).toEqual([
    'Your own codex settings act in every run: hooks Stop; plugins p@m, q; tool servers mine, a.b. `troupe config set clients.codex.own_hooks false` switches them off.',
    'Of your own codex settings, runs leave out: hooks Stop; plugins p@m, q; tool servers mine. `troupe config set clients.codex.own_hooks true` lets them act. The tool servers a.b act in every run: codex cannot leave them out.',
    'The tool servers a.b act in every run: codex cannot leave them out.',
    undefined,
    undefined,
  ]);
});
