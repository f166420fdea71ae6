import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import * as writers from '#core/roles/writers.js';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** Which operations may name which writer: each has its own, and passes it to what is shared as an argument. */
const ALLOWED: Readonly<Record<keyof typeof writers, RegExp>> = {
  CREW_WRITER: /^src\/operations\/(formations\/crew[\w-]*|roles\/row-status)\.ts$/,
  PANEL_WRITER: /^src\/operations\/(formations\/panel[\w-]*|roles\/row-status)\.ts$/,
  RESEARCH_WRITER: /^src\/operations\/(formations\/sweep[\w-]*|roles\/row-status)\.ts$/,
  SOLO_WRITER: /^src\/operations\/roles\/role-edit\.ts$/,
  GRADUATION_WRITER: /^src\/operations\/roles\/graduate\.ts$/,
  IDENTITY_WRITER: /^src\/operations\/roles\/(accept|proposal)[\w-]*\.ts$/,
  STARTER_WRITER: /^src\/operations\/roles\/(as|solo|starter)[\w-]*\.ts$/,
  INDEX_WRITER: /^src\/operations\/roles\/index-file\.ts$/,
};
const DEFINED = 'src/core/roles/writers.ts';

/** The uses of writers that nobody allows, as `file: writer`. */
function strangers(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    Object.entries(ALLOWED).flatMap(([writer, allowed]) =>
      file !== DEFINED && new RegExp(`\\b${writer}\\b`).test(text) && !allowed.test(file) ? `${file}: ${writer}` : [],
    ),
  );
}

verifies(
  ['roles.writer.one', 'roles.rule.core-by-graduation'],
  'each writer of role files is named by its own operation alone',
  () => {
    expect(Object.keys(ALLOWED).sort()).toEqual(Object.keys(writers).sort());
    const sources = new Map(
      filesBelow(path.join(HOME, 'src'), /\.ts$/).map((file) => [
        path.relative(HOME, file),
        readFileSync(file, 'utf8'),
      ]),
    );
    expect(strangers(sources)).toEqual([]);
    const intruder = "import { CREW_WRITER, GRADUATION_WRITER } from '#core/roles/writers.js';";
    expect(strangers(new Map([['src/operations/formations/panel.ts', intruder]]))).toHaveLength(2);
    // Nor is one made elsewhere, or called another's: the class is not exported, and nothing is declared to be one.
    expect(sources.get(DEFINED)).not.toMatch(/export (?:default )?class/);
    const casts = [...sources].filter(([, text]) =>
      /\bas (?:unknown as )?(?:LaneWriter|RoleWriter)\b|import \* as \w+ from '[^']*roles\/writers/.test(text),
    );
    expect(casts.map(([file]) => file)).toEqual([]);
  },
);
