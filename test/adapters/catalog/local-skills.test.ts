import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalSkills } from '#adapters/catalog/local-skills.js';
import { readTextFile } from '#adapters/files/text-file.js';
import type { PromptSkill } from '#core/runs/prompt-facts.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { SkillOrigin } from '#ports/prompt-sources.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const OWN: SkillOrigin = { imported: false, allowHosts: [] };
const IMPORTED: SkillOrigin = { imported: true, allowHosts: ['docs.example'] };

/** A project, a home beside it, and a web that answers one address. */
function place() {
  const top = room();
  const [projectFolder, home] = [path.join(top, 'project'), path.join(top, 'home')];
  mkdirSync(path.join(projectFolder, 'docs'), { recursive: true });
  mkdirSync(home);
  const asked: unknown[] = [];
  const skills = new LocalSkills({
    projectFolder,
    home,
    readText: readTextFile,
    web: {
      text: async (url, options) => {
        asked.push({ url, ...options });
        if (url !== 'https://docs.example/style') throw new TroupeError('fetch_failed', { what: 'It answers 404.' });
        return 'from the web';
      },
    },
  });
  const one = async (ref: PromptSkill, origin = OWN) => (await skills.resolve([ref], origin))[0];
  return { projectFolder, home, asked, skills, one };
}

verifies(
  'skill.resolve',
  'a name is a label; a file, an address and an inline text become their texts, in order',
  async () => {
    const { projectFolder, home, skills, asked } = place();
    writeFileSync(path.join(projectFolder, 'docs/style.md'), 'Plain words.\n');
    writeFileSync(path.join(home, 'mine.md'), 'My way.');
    const absolute = path.join(home, 'mine.md');
    const inline = 'Use "quotes" & <tags>,\n\tkept as they are. ';
    const refs = [
      { name: 'rust' },
      { file: 'docs/style.md' },
      { file: './docs/../docs/style.md' },
      { file: '~/mine.md' },
      { file: absolute },
      { url: 'https://docs.example/style' },
      { inline },
    ];
    expect(await skills.resolve(refs, OWN)).toEqual([
      { kind: 'name', source: 'rust' },
      { kind: 'file', source: 'docs/style.md', text: 'Plain words.\n' },
      { kind: 'file', source: './docs/../docs/style.md', text: 'Plain words.\n' },
      { kind: 'file', source: '~/mine.md', text: 'My way.' },
      { kind: 'file', source: absolute, text: 'My way.' },
      { kind: 'url', source: 'https://docs.example/style', text: 'from the web' },
      { kind: 'inline', text: inline },
    ]);
    expect(asked).toEqual([{ url: 'https://docs.example/style', most: TEAM_LIMITS.skillBytes }]);
  },
);

verifies('skill.resolve', 'what cannot be had is a warning beside the others', async () => {
  const { skills } = place();
  const found = await skills.resolve(
    [{ file: 'none.md' }, { url: 'https://docs.example/none' }, { file: 'a\0b' }, { file: '~' }, { name: 'rust' }],
    OWN,
  );
  expect(found.map(({ warning }) => warning !== undefined)).toEqual([true, true, true, true, false]);
  expect(found.every(({ text }) => text === undefined)).toBe(true);
  expect(found.map(({ warning }) => warning).slice(0, 3)).toEqual([
    ...['There is no such file.', 'It answers 404.', 'The name of the file holds NUL.'],
  ]);
  const many = Array.from({ length: TEAM_LIMITS.skills + 1 }, (_, number) => ({ name: `${number}` }));
  expect((await skills.resolve(many, OWN)).map(({ source }) => source)).toEqual(
    many.slice(0, TEAM_LIMITS.skills).map(({ name }) => name),
  );
});

verifies('skill.file', 'a file of more than 256 KiB, or one that is no UTF-8 text, gives no text', async () => {
  const { projectFolder, one } = place();
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(projectFolder, name), content);
  write('full.md', 'a'.repeat(256 * 1024));
  write('over.md', 'a'.repeat(256 * 1024 + 1));
  write('wide.md', 'ä'.repeat(128 * 1024 + 1));
  write('latin.md', Buffer.from([0x61, 0xe4]));
  write('program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
  execFileSync('mkfifo', [path.join(projectFolder, 'pipe')]);
  expect((await one({ file: 'full.md' }))?.text).toHaveLength(256 * 1024);
  for (const file of ['over.md', 'wide.md', 'latin.md', 'program', 'pipe', 'docs']) {
    expect(await one({ file }), file).toMatchObject({ kind: 'file', warning: expect.any(String) });
    expect((await one({ file }))?.text, file).toBeUndefined();
  }
  expect((await one({ inline: 'a'.repeat(256 * 1024 + 1) }))?.warning).toContain('larger');
});

verifies('skill.file', 'an imported role reads inside the project only, wherever links lead', async () => {
  const { projectFolder, home, one } = place();
  writeFileSync(path.join(home, 'id_rsa'), 'private');
  writeFileSync(path.join(projectFolder, 'docs/style.md'), 'Plain words.');
  symlinkSync(path.join(home, 'id_rsa'), path.join(projectFolder, 'docs/key.md'));
  symlinkSync(home, path.join(projectFolder, 'home'));
  symlinkSync('style.md', path.join(projectFolder, 'docs/same.md'));
  for (const file of ['docs/style.md', 'docs/same.md', path.join(projectFolder, 'docs/style.md')])
    expect((await one({ file }, IMPORTED))?.text, file).toBe('Plain words.');
  const escapes = ['~/id_rsa', path.join(home, 'id_rsa'), '../home/id_rsa', 'docs/key.md', 'home/id_rsa'];
  for (const file of escapes) {
    expect((await one({ file }, IMPORTED))?.warning, file).toContain('is outside the project');
    expect((await one({ file }))?.text, file).toBe('private');
  }
});

verifies('skill.url', 'an imported role may ask the hosts it was allowed and no others', async () => {
  const { one, asked } = place();
  await one({ url: 'https://docs.example/style' }, IMPORTED);
  await one({ url: 'https://docs.example/style' });
  expect(asked).toEqual([
    { url: 'https://docs.example/style', most: TEAM_LIMITS.skillBytes, hosts: ['docs.example'] },
    { url: 'https://docs.example/style', most: TEAM_LIMITS.skillBytes },
  ]);
});

verifies('skill.resolve', 'an inline text may be as large as any, and no larger', async () => {
  const { one } = place();
  const inline = 'ä'.repeat(TEAM_LIMITS.skillBytes / 2);
  expect(await one({ inline })).toEqual({ kind: 'inline', text: inline });
  expect(await one({ inline: `${inline}.` })).toEqual({
    kind: 'inline',
    warning: `It is larger than ${TEAM_LIMITS.skillBytes} bytes.`,
  });
});
