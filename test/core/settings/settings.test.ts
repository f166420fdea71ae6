import { expect, test } from 'vitest';
import { matrixPlace, smtpPlace } from '#core/settings/places.js';
import {
  guardedFingerprint,
  isGuarded,
  settingKey,
  settingsFrom,
  typedValue,
  withoutGuarded,
} from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';

verifies('coord.config', 'every default of the specification', () => {
  const { settings, warnings } = settingsFrom({});
  expect(warnings).toEqual([]);
  expect(settings).toEqual({
    coordinator: {
      max_agents: 4,
      poll_interval: 60,
      executor: 'claude',
      fallback: [],
      agent_timeout: '30m',
      agent_idle_timeout: '15m',
      max_coordinators: 4,
      worktree_isolation: 'auto',
      merge_back: 'merge',
      follow: 'integration',
      land: 'manual',
      silent_end: 'ask',
    },
    worktree: { folder: '.workgraph/worktrees', branch: 'wg/{task}/{attempt}', setup_timeout: '15m', copy: [] },
    clients: { sandbox: 'auto', claude: { own_hooks: false }, codex: { own_hooks: false } },
    casting: {},
    checkpoint: { auto_interval_turns: 15, auto_interval_mins: 20, max_checkpoints: 5 },
    database: { work: 'anywhere' },
    guardrails: { max_child_tasks_per_agent: 10, max_task_depth: 8 },
    budget: { reserve_usd: 1, reserve_tokens: 200_000 },
    agency: {
      auto_assign: false,
      auto_create: false,
      auto_evaluate: false,
      auto_place: false,
      auto_triage: false,
      compaction: false,
      eval_gate_all: false,
      evolve_replay: 0,
      exploration_constant: 0.15,
      exploration_every: 20,
      flip_enabled: false,
      novelty_bonus: 0.1,
    },
    messages: { max_open: 3 },
    models: { ask: 'auto' },
    sync: { label: 'troupe', every: '15m', close: true },
    notify: {
      about: ['review', 'question', 'failed', 'plan', 'budget'],
      every: '1m',
      desktop: false,
      webhook: { shape: 'json' },
      smtp: { secure: false },
      matrix: {},
    },
  });
});

verifies('coord.config', 'a bad value names its key', () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ coordinator: { max_agents: 0 } }, 'coordinator.max_agents'],
    [{ coordinator: { max_agents: 2.5 } }, 'coordinator.max_agents'],
    [{ coordinator: { max_agents: '4' } }, 'coordinator.max_agents'],
    [{ coordinator: { poll_interval: -1 } }, 'coordinator.poll_interval'],
    [{ coordinator: { executor: '../x' } }, 'coordinator.executor'],
    [{ coordinator: { agent_timeout: 'soon' } }, 'coordinator.agent_timeout'],
    [{ coordinator: { worktree_isolation: 'yes' } }, 'coordinator.worktree_isolation'],
    [{ coordinator: { land: true } }, 'coordinator.land'],
    [{ coordinator: 4 }, 'coordinator'],
    [{ checkpoint: { max_checkpoints: 0 } }, 'checkpoint.max_checkpoints'],
    [{ guardrails: { max_task_depth: 'deep' } }, 'guardrails.max_task_depth'],
    [{ budget: { usd_per_day: -5 } }, 'budget.usd_per_day'],
    [{ budget: { usd_total: Number.POSITIVE_INFINITY } }, 'budget.usd_total'],
    [{ agency: { auto_assign: 'true' } }, 'agency.auto_assign'],
    [{ notify: { smtp: { port: 70_000 } } }, 'notify.smtp.port'],
    [{ notify: { matrix: { room: '' } } }, 'notify.matrix.room'],
    [{ notify: { quiet: '22-7' } }, 'notify.quiet'],
    [{ notify: { about: ['everything'] } }, 'notify.about.0'],
    [{ notify: { every: '0s' } }, 'notify.every'],
    [{ notify: { webhook: { shape: 'teams' } } }, 'notify.webhook.shape'],
    [{ notify: { webhook: { url_env: 'https://hooks.example/x' } } }, 'notify.webhook.url_env'],
  ];
  for (const [value, key] of cases) {
    const error = refusalOf(() => settingsFrom(value));
    expect(error.code, key).toBe('bad_config');
    expect(error.message, key).toContain(key);
    expect(error.details, key).toEqual({ key });
  }
});

verifies('coord.config', 'unknown keys are warned of and kept out of the settings', () => {
  const { settings, warnings } = settingsFrom({
    coordinator: { max_agent: 3 },
    plugins: { a: { b: { c: 1 } } },
    'evil\u001b[2J': 1,
  });
  expect(settings.coordinator.max_agents).toBe(4);
  expect(warnings).toContain('coordinator.max_agent is an unknown key; did you mean coordinator.max_agents?');
  expect(warnings.join()).toContain('plugins.a.b');
  expect(warnings.join()).not.toContain('\u001b');
  expect(settingsFrom(Object.fromEntries([...Array(500).keys()].map((n) => [`k${n}`, 1]))).warnings).toHaveLength(50);
});

test('what looks like a secret is refused, and never said again', () => {
  const secret = 'hunter2-hunter2';
  for (const value of [
    { notify: { smtp: { password: secret } } },
    { notify: { matrix: { token: secret } } },
    { api_key: secret },
    { notify: { smtp: { password_env: `${secret}!` } } },
  ]) {
    const error = refusalOf(() => settingsFrom(value));
    expect(error.code).toBe('bad_config');
    expect(JSON.stringify(error)).not.toContain(secret);
  }
  expect(refusalOf(() => settingsFrom({ notify: { smtp: { password: secret } } })).hint).toContain(
    'notify.smtp.password_env',
  );
  expect(refusalOf(() => settingKey('notify.webhook.token')).hint).toContain('notify.webhook.token_env');
  expect(refusalOf(() => settingKey('notify.matrix.token')).hint).toContain('notify.matrix.token_env');
});

test('what is typed becomes what the key takes', () => {
  expect(typedValue('coordinator.max_agents', '8')).toBe(8);
  expect(typedValue('coordinator.model', '8')).toBe('8');
  expect(typedValue('coordinator.model', 'true')).toBe('true');
  expect(typedValue('agency.auto_assign', 'true')).toBe(true);
  expect(typedValue('budget.usd_per_day', '2.5')).toBe(2.5);
  for (const [key, typed] of [
    ['coordinator.max_agents', 'many'],
    ['coordinator.max_agents', ''],
    ['agency.auto_assign', 'yes'],
    ['notify.smtp.password_env', 'a b'],
  ] as const)
    expect(refusalOf(() => typedValue(key, typed)).message).toContain(key);
  expect(refusalOf(() => typedValue('coordinator.max_agent', '8')).hint).toBe('Did you mean coordinator.max_agents?');
});

test('where a value comes from is said for every key', () => {
  const { rows } = settingsFrom({ coordinator: { max_agents: 4 } });
  expect(rows.find(({ key }) => key === 'coordinator.max_agents')).toEqual({
    key: 'coordinator.max_agents',
    value: 4,
    from: 'file',
  });
  expect(rows.find(({ key }) => key === 'coordinator.executor')?.from).toBe('default');
  expect(rows.find(({ key }) => key === 'coordinator.model')).toEqual({ key: 'coordinator.model', from: 'unset' });
});

test('every value that says where a secret goes is part of what is agreed to', () => {
  const smtp = { host: 'a', port: 1, secure: true, user: 'u', password_env: 'P', from: 'f', to: 't' };
  const matrix = { homeserver: 'h', token_env: 'T', room: 'r', to: 't' };
  const webhook = { url_env: 'U', token_env: 'T', shape: 'slack' };
  const print = (notify: unknown) => guardedFingerprint(settingsFrom({ notify }).settings);
  expect(print({})).toBeUndefined();
  const seen = new Set([print({ smtp, matrix })]);
  for (const key of Object.keys(smtp)) seen.add(print({ smtp: { ...smtp, [key]: undefined }, matrix }));
  for (const key of Object.keys(matrix)) seen.add(print({ smtp, matrix: { ...matrix, [key]: undefined } }));
  expect(seen.size).toBe(1 + 7 + 4);
  const hooks = new Set([print({ webhook }), print({ webhook, desktop: true })]);
  for (const key of Object.keys(webhook)) hooks.add(print({ webhook: { ...webhook, [key]: undefined } }));
  expect(hooks.size).toBe(2 + 3);
  expect(print({ desktop: true })).toBeDefined();
  expect(print({ quiet: '22:00-07:00', about: [], every: '1h' }), 'they say nothing about where').toBeUndefined();
  const opened = { sandbox: 'off', writable: '/srv' };
  expect(guardedFingerprint(settingsFrom({ clients: opened }).settings)).toBeDefined();
  expect(guardedFingerprint(settingsFrom({ clients: { sandbox: 'on' } }).settings)).toBeUndefined();
  for (const folder of ['/srv/trees', '../trees', '~/trees']) {
    const { settings } = settingsFrom({ worktree: { folder } });
    expect(guardedFingerprint(settings)).toBeDefined();
    expect(withoutGuarded(settings).worktree.folder).toBe('.workgraph/worktrees');
  }
  const { settings: within } = settingsFrom({ worktree: { folder: '.trees' } });
  expect(guardedFingerprint(within)).toBeUndefined();
  expect(withoutGuarded(within).worktree.folder).toBe('.trees');
  expect(withoutGuarded(settingsFrom({ clients: opened }).settings).clients).toEqual(settingsFrom({}).settings.clients);
  expect(withoutGuarded(settingsFrom({ notify: { smtp, matrix, webhook, desktop: true } }).settings).notify).toEqual(
    settingsFrom({}).settings.notify,
  );
});

test('where mail and messages go, with secrets by the names of variables; what is missing is named', () => {
  const { settings } = settingsFrom({
    notify: {
      smtp: { host: 'mail.example.org', from: 'troupe@example.org', user: 'troupe', password_env: 'MAIL_PASSWORD' },
      matrix: { homeserver: 'https://example.org', token_env: 'MATRIX_TOKEN', room: '!r:example.org' },
    },
  });
  const variables = { MAIL_PASSWORD: 'one', MATRIX_TOKEN: 'two' };
  expect(smtpPlace(settings, variables)).toMatchObject({ port: 587, password: 'one', user: 'troupe' });
  expect(matrixPlace(settings, variables)).toMatchObject({ token: 'two', room: '!r:example.org' });
  expect(refusalOf(() => smtpPlace(settings, {})).details).toEqual({
    key: 'notify.smtp.password_env',
    variable: 'MAIL_PASSWORD',
  });
  const empty = settingsFrom({}).settings;
  expect(refusalOf(() => smtpPlace(empty, variables))).toMatchObject({
    code: 'notify_unconfigured',
    details: { key: 'notify.smtp.host' },
  });
  expect(refusalOf(() => matrixPlace(empty, variables)).details).toEqual({ key: 'notify.matrix.homeserver' });
});

verifies('pay.words', 'the clients that take over are a list, typed with commas', () => {
  expect(settingsFrom({}).settings.coordinator.fallback).toEqual([]);
  const value = typedValue('coordinator.fallback', 'codex, gemini');
  const { settings, rows } = settingsFrom({ coordinator: { fallback: value } });
  expect(settings.coordinator.fallback).toEqual(['codex', 'gemini']);
  expect(rows.find(({ key }) => key === 'coordinator.fallback')?.value).toBe('codex,gemini');
  expect(typedValue('coordinator.fallback', 'codex')).toEqual(['codex']);
  for (const bad of ['codex', ['../x'], [''], ['x', 1], {}])
    expect(() => settingsFrom({ coordinator: { fallback: bad } })).toThrow(/coordinator\.fallback/);
});

test('what a repository may not decide alone: fingerprint, keys, and what is left without it', () => {
  const read = (raw: object) => settingsFrom(raw as never).settings;
  const print = (raw: object) => guardedFingerprint(read(raw));
  const guarded: Record<string, object> = {
    'notify.smtp.host': { notify: { smtp: { host: 'mail.example.org' } } },
    'notify.matrix.room': { notify: { matrix: { room: '!a:example.org' } } },
    'notify.webhook.url_env': { notify: { webhook: { url_env: 'HOOK' } } },
    'notify.desktop': { notify: { desktop: true } },
    'notify.smtp.to': { notify: { smtp: { to: 'ann@example.org' } } },
    'models.local_url': { models: { local_url: 'http://localhost:1' } },
    'models.local_key_env': { models: { local_key_env: 'KEY' } },
    'clients.sandbox': { clients: { sandbox: 'off' } },
    'clients.writable': { clients: { writable: '/x' } },
    'worktree.setup': { worktree: { setup: 'npm ci' } },
    'worktree.folder': { worktree: { folder: '../elsewhere' } },
    'database.remote': { database: { remote: 'origin' } },
    'database.blobs': { database: { blobs: 's3://outputs/team' } },
  };
  expect(print({})).toBeUndefined();
  expect(print({ clients: { sandbox: 'on' } }), 'stricter needs nobody').toBeUndefined();
  const prints = Object.values(guarded).map(print);
  expect(new Set(prints).size).toBe(prints.length);
  expect(prints).not.toContain(undefined);
  for (const [key, raw] of Object.entries(guarded)) {
    expect(isGuarded(key), key).toBe(true);
    expect(guardedFingerprint(withoutGuarded(read(raw))), key).toBeUndefined();
  }
  for (const key of [
    'models.ask',
    'notify.quiet',
    'notify.about',
    'notify.every',
    'executor',
    'clients.claude',
    'worktree.merge',
  ])
    expect(isGuarded(key), key).toBe(false);
});

test('keys of a file: known ones, those of one’s own file, near misses, and tables nobody knows', () => {
  const warned = (raw: object) => settingsFrom(raw as never).warnings;
  expect(warned({ guardrails: { max_task_depth: 3 } })).toEqual([]);
  expect(warned({ guardrails: { max_task_dept: 3 } })).toEqual([
    'guardrails.max_task_dept is an unknown key; did you mean guardrails.max_task_depth?',
  ]);
  expect(warned({ a: { b: { c: { d: { e: 1 } } } } }).join()).toContain('a.b.c.d is an unknown key');
  expect(warned({ zzz: 1, yyy: 2 }).map((text) => text.split(' ')[0])).toEqual(['zzz', 'yyy']);
  const code = (raw: object) => codeOf(() => settingsFrom(raw as never));
  for (const key of ['password', 'pass', 'token', 'access_token', 'api_key', 'secret'])
    expect(code({ notify: { smtp: { [key]: 'x' } } }), key).toBe('bad_config');
  expect(codeOf(() => settingKey('notify.smtp.password'))).toBe('bad_config');
  expect(settingKey('guardrails.max_task_depth')).toEqual(['guardrails', 'max_task_depth']);
  expect(codeOf(() => settingKey('guardrails.max_task_dept'))).toBe('bad_config');
});

test('what was agreed to once stays agreed to: the same values have the same fingerprint for ever', () => {
  const of = (file: object) => guardedFingerprint(settingsFrom(file).settings);
  const smtp = { host: 'h', port: 587, secure: true, user: 'u', password_env: 'P', from: 'a@b.c' };
  const matrix = { homeserver: 'https://m.example', token_env: 'T', room: '!r:m.example' };
  const prints = [
    ...[{}, { notify: { smtp, matrix } }, { notify: { matrix } }, { clients: { sandbox: 'off' } }],
    ...[{ clients: { writable: '/srv' } }, { models: { local_url: 'http://127.0.0.1:1' } }],
    ...[{ models: { local_key_env: 'K' } }, { worktree: { setup: 'make' } }, { worktree: { folder: '../trees' } }],
    ...[{ worktree: { setup: 'make', folder: '../trees' } }],
  ].map(of);
  expect(new Set(prints).size, 'each another').toBe(prints.length);
  expect(prints.map((print) => print?.slice(0, 8))).toMatchInlineSnapshot(`
    [
      undefined,
      "2c2bb888",
      "cefc6f58",
      "c0ed6476",
      "8faf22fe",
      "c7099415",
      "cdbe7a42",
      "bd822ebb",
      "ad711a69",
      "34754fbe",
    ]
  `);
});

test('without what nobody agreed to, all else of a file holds', () => {
  const plain = { coordinator: { max_agents: 3 }, worktree: { setup_timeout: '5m' } };
  const more = {
    ...plain,
    worktree: { ...plain.worktree, setup: 'make', folder: '../trees' },
    models: { local_url: 'http://127.0.0.1:1', local_key_env: 'K' },
    clients: { sandbox: 'off', writable: '/srv' },
    notify: { smtp: { host: 'h', secure: true }, matrix: { room: '!r:m.example' } },
  };
  const known = (file: object) => settingsFrom(file).settings;
  expect(withoutGuarded(known(more))).toEqual(known(plain));
});

test('a key that cannot be set says why', () => {
  const said = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error instanceof TroupeError ? [error.message, error.hint] : error;
    }
  };
  expect(
    [
      () => settingKey('notify.smtp.password'),
      () => settingKey('coordinator.token'),
      () => settingKey('token'),
      () => settingKey('person'),
      () => settingKey('coordinator.max_agent'),
      () => settingKey('executor'),
      () => settingKey('max_agent'),
      () => settingKey('zzz'),
      () => typedValue('coordinator.max_agents', 'x'),
      () => typedValue('coordinator.max_agents', '-1'),
      () => typedValue('clients.sandbox', 'true'),
    ].map(said),
  ).toMatchInlineSnapshot(`
    [
      [
        "notify.smtp.password looks like a secret, and secrets do not belong in this file.",
        "Put it in an environment variable, and set its name in notify.smtp.password_env.",
      ],
      [
        "coordinator.token looks like a secret, and secrets do not belong in this file.",
        "Put it in an environment variable, and set its name in token_env.",
      ],
      [
        "token looks like a secret, and secrets do not belong in this file.",
        "Put it in an environment variable, and set its name in token_env.",
      ],
      [
        "There is no setting person.",
        "It applies only in your own settings (~/.config/troupe/config.toml), not in a project.",
      ],
      [
        "There is no setting coordinator.max_agent.",
        "Did you mean coordinator.max_agents?",
      ],
      [
        "There is no setting executor.",
        "Did you mean coordinator.executor?",
      ],
      [
        "There is no setting max_agent.",
        "Did you mean coordinator.max_agents?",
      ],
      [
        "There is no setting zzz.",
        "Run \`troupe config show\` to see them all.",
      ],
      [
        "coordinator.max_agents must be a number, not "x".",
        "Fix it in .workgraph/config.toml or with \`troupe config set coordinator.max_agents VALUE\`.",
      ],
      [
        "coordinator.max_agents must be at least 1.",
        "Fix it in .workgraph/config.toml or with \`troupe config set coordinator.max_agents VALUE\`.",
      ],
      [
        "clients.sandbox must be one of auto, on, off, not true.",
        "Fix it in .workgraph/config.toml or with \`troupe config set clients.sandbox VALUE\`.",
      ],
    ]
  `);
  expect(settingsFrom({ executors: { pass_env: ['X'] }, person: 'ann' }).warnings).toMatchInlineSnapshot(`
    [
      "executors.pass_env applies only in your own settings (~/.config/troupe/config.toml), not in a project",
      "person applies only in your own settings (~/.config/troupe/config.toml), not in a project",
    ]
  `);
});
