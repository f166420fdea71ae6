import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { claudePlugins, PLUGINS_VERSION } from '#core/playbooks/claude-plugins.js';
import { PLUGINS } from '#core/playbooks/plugin-names.js';
import { STARTERS } from '#core/roles/starters.js';
import { verifies } from '../../verifies.js';

const CHARTERS = STARTERS.map((name) => ({ name, charter: `Looks at it as the ${name}.` }));
const written = (names: readonly (typeof PLUGINS)[number][] = PLUGINS) => claudePlugins(names, CHARTERS);
const dataOf = (files: ReadonlyMap<string, string>, name: string) =>
  JSON.parse(files.get(name) ?? 'null') as Record<string, unknown>;

verifies(
  'export.valid',
  'each plugin has a whole manifest, a README worth reading and hooks that find their scripts',
  () => {
    const files = written();
    const { version } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
    ) as { version: string };
    expect(PLUGINS_VERSION).toBe(version);
    const market = dataOf(files, '.claude-plugin/marketplace.json');
    expect(market['plugins']).toEqual(
      PLUGINS.map((name) => ({ name, source: `./${name}`, description: expect.stringMatching(/\w/) })),
    );
    for (const name of PLUGINS) {
      expect(dataOf(files, `${name}/.claude-plugin/plugin.json`)).toEqual({
        ...{
          name,
          version,
          license: 'MIT',
          author: { name: expect.any(String) },
          description: expect.stringMatching(/\w/),
        },
        keywords: expect.arrayContaining(['troupe']),
      });
      expect((files.get(`${name}/README.md`) ?? '').split(/\s+/).length).toBeGreaterThan(40);
      const hooks = files.get(`${name}/hooks/hooks.json`);
      if (hooks === undefined) continue;
      const [, script = ''] = /sh \\"\$\{CLAUDE_PLUGIN_ROOT\}\\"\/(scripts\/[\w-]+\.sh)"/.exec(hooks) ?? [];
      expect(files.get(`${name}/${script}`)).toMatch(/^#!\/bin\/sh\n/);
      expect(files.get(`${name}/${script}`)).not.toMatch(/\|\| *true/);
    }
    expect(dataOf(files, 'dev-crew/hooks/hooks.json')).toMatchObject({
      hooks: { PreToolUse: [{ matcher: 'Agent|Task' }] },
    });
    expect(dataOf(files, 'roles/hooks/hooks.json')).toMatchObject({ hooks: { SessionStart: [{}] } });
    for (const name of ['dev-crew', 'roles']) {
      const [hook] = Object.values(dataOf(files, `${name}/hooks/hooks.json`)['hooks'] as object).flat();
      expect(hook.hooks, name).toEqual([{ type: 'command', command: expect.any(String), timeout: 10 }]);
      const script = /scripts\/[\w-]+\.sh/.exec(hook.hooks[0].command)?.[0];
      expect(
        files.get(`${name}/${script}`)?.match(/sleep \d+/g),
        `${name}: the script ends before its client ends it`,
      ).toEqual(['sleep 6']);
    }
  },
);

verifies('export.valid', 'the same charters give the same bytes, and a plugin is the same alone', () => {
  const files = written();
  expect([...written()]).toEqual([...files]);
  for (const name of PLUGINS) {
    const alone = written([name]);
    expect((dataOf(alone, '.claude-plugin/marketplace.json')['plugins'] as unknown[]).length).toBe(1);
    for (const [file, text] of alone) {
      if (file.startsWith('.claude-plugin/')) continue;
      expect(file.startsWith(`${name}/`)).toBe(true);
      expect(text).toBe(files.get(file));
      // What it calls is the program, never a file of another plugin.
      for (const other of PLUGINS)
        if (other !== name) expect(text).not.toMatch(new RegExp(`\\.\\./|/${other}:|(?<![.]claude/)${other}/`));
    }
  }
});

verifies('export.names', 'skills have the names people type, answer to their words, and call the program', () => {
  const files = written();
  const skills = [...files.keys()].flatMap(
    (file) => /^([\w-]+)\/skills\/([\w-]+)\/SKILL\.md$/.exec(file)?.slice(1).join(':') ?? [],
  );
  expect(skills).toEqual([
    'roles:as',
    'roles:evolve',
    ...STARTERS.map((name) => `roles:${name}`),
    'dev-crew:crew',
    'brainstorm-panel:panel',
    'research-sweep:sweep',
  ]);
  const descriptionOf = (file: string) => /^description: (".*")$/m.exec(files.get(file) ?? '')?.[1] ?? '';
  expect(descriptionOf('dev-crew/skills/crew/SKILL.md')).toContain('run the crew on …');
  expect(descriptionOf('brainstorm-panel/skills/panel/SKILL.md')).toContain('get a team on this');
  expect(descriptionOf('research-sweep/skills/sweep/SKILL.md')).toContain('everything about …');
  expect(files.get('roles/skills/as/SKILL.md')).toContain('argument-hint: "NAME TARGET"');
  for (const [file, text] of files)
    if (file.endsWith('SKILL.md')) expect(text, file).toMatch(/`troupe (?:roles|crew|panel|sweep) /);
  const agents = [...files.keys()].filter((file) => file.startsWith('dev-crew/agents/'));
  expect(agents).toEqual(['architect', 'dev', 'qa', 'deployer'].map((role) => `dev-crew/agents/dc-${role}.md`));
});
