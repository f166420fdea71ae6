import { describe, expect } from 'vitest';
import { addCoreLesson, replaceSection } from '#core/roles/core-file.js';
import { editRows, mintRow } from '#core/roles/lane-edit.js';
import { parseLane } from '#core/roles/lane-file.js';
import { strikeLessons } from '#core/roles/registry.js';
import { coreFile, laneFile, logFile, REGISTRY_FILE } from '#core/roles/role-paths.js';
import { withLogEntry } from '#core/roles/run-end.js';
import {
  CREW_WRITER,
  GRADUATION_WRITER,
  IDENTITY_WRITER,
  INDEX_WRITER,
  PANEL_WRITER,
  RESEARCH_WRITER,
  type RoleWriter,
  SOLO_WRITER,
  STARTER_WRITER,
} from '#core/roles/writers.js';
import type { RoleFiles, RoleTexts } from '#ports/role-files.js';
import { verifies } from '../verifies.js';

const CREW = laneFile('crew');
const CORE = coreFile('skeptic');
const CORE_TEXT =
  '# skeptic\r\n\r\n## Charter\r\n\r\nDoubts.\r\n\r\n## Learnings (core)\r\n\r\n## Learnings (solo)\r\n\r\n- 2026-03-01 — one\r\n';

/** Writes the texts of a decision without recording it in a log. */
export const written = async (
  files: Pick<RoleFiles, 'change'>,
  writer: RoleWriter,
  decide: (texts: RoleTexts) => RoleTexts,
): Promise<void> =>
  await files.change(writer, async ({ texts }, write) => {
    await write({ texts: decide(texts), proposals: new Map() }, undefined, async () => true);
  });
export const put = async (
  files: RoleFiles,
  writer: RoleWriter,
  texts: Readonly<Record<string, string>>,
): Promise<void> => await written(files, writer, () => new Map(Object.entries(texts)));
export const minted = (texts: RoleTexts, name: string): ReadonlyMap<string, string> =>
  new Map([[CREW, mintRow('crew', texts.get(CREW), { name, fields: { charter: 'Works.' } }).text]]);

/** Contract of every adapter of the role files. `make` creates them for an empty repository. */
export function roleFilesContract(name: string, make: () => RoleFiles): void {
  describe(name, () => {
    verifies('roles.file.roundtrip', 'what was written is read again, byte for byte', async () => {
      const files = make();
      expect((await files.read()).texts.size).toBe(0);
      const odd = `\uFEFF${CORE_TEXT}<!-- ünï 🙂 -->`;
      await put(files, STARTER_WRITER, { [CORE]: odd });
      await put(files, CREW_WRITER, { [logFile('crew')]: withLogEntry(undefined, '## r1') });
      expect(Object.fromEntries((await files.read()).texts)).toEqual({ [CORE]: odd, [logFile('crew')]: '## r1\n' });
    });

    verifies(
      ['roles.writer.one', 'roles.rule.core-by-graduation'],
      'each writer changes its own part of a file and no other',
      async () => {
        const fresh = async () => {
          const files = make();
          await put(files, STARTER_WRITER, { [CORE]: CORE_TEXT });
          await written(files, CREW_WRITER, (now) => minted(now, 'qa'));
          return files;
        };
        const shared = await fresh();
        const { texts } = await shared.read();
        const lesson = { date: '2026-11-23', text: 'two' };
        const row = editRows('crew', texts.get(CREW) ?? '', [{ name: 'qa', lessons: [lesson] }]);
        const parts: readonly [part: string, file: string, text: string, writers: readonly RoleWriter[]][] = [
          ['a row', CREW, row, [CREW_WRITER]],
          ['a row of another lane', laneFile('panel'), '# Panel\n', [PANEL_WRITER]],
          ['a log', logFile('research'), '## r1\n', [RESEARCH_WRITER]],
          ['core', CORE, addCoreLesson('skeptic', CORE_TEXT, 'core', lesson).text, [GRADUATION_WRITER]],
          ['solo', CORE, addCoreLesson('skeptic', CORE_TEXT, 'solo', lesson).text, [SOLO_WRITER, GRADUATION_WRITER]],
          ['identity', CORE, replaceSection('skeptic', CORE_TEXT, 'charter', 'Trusts.'), [IDENTITY_WRITER]],
          ['a new core', coreFile('builder'), '# builder\n', [STARTER_WRITER]],
          ['the table', REGISTRY_FILE, '| Role | Charter |\n', [INDEX_WRITER]],
          ['a file of another name', '.claude/roles/My Role.md', 'x', []],
          ['a file elsewhere', 'README.md', 'x', []],
          ['a file outside', '.claude/roles/../../../x.md', 'x', []],
        ];
        const all = [
          CREW_WRITER,
          PANEL_WRITER,
          RESEARCH_WRITER,
          SOLO_WRITER,
          GRADUATION_WRITER,
          IDENTITY_WRITER,
          INDEX_WRITER,
          STARTER_WRITER,
        ];
        for (const [part, file, text, writers] of parts) {
          for (const writer of all) {
            const isAllowed = writers.includes(writer);
            const files = isAllowed ? await fresh() : shared;
            const code = await put(files, writer, { [file]: text }).then(
              () => 'written',
              (error: { code: string }) => error.code,
            );
            expect([part, writer.name, code]).toEqual([part, writer.name, isAllowed ? 'written' : 'not_lane_writer']);
            const now = (await files.read()).texts.get(file);
            expect(now, `${part} by ${writer.name}`).toBe(isAllowed ? text : texts.get(file));
          }
        }
      },
    );

    verifies('roles.writer.one', 'graduation takes lessons out of rows and changes nothing else of them', async () => {
      const files = make();
      const crew = editRows('crew', mintRow('crew', undefined, { name: 'qa', fields: { charter: 'x' } }).text, [
        {
          name: 'qa',
          lessons: [
            { date: '2026-11-23', text: 'one' },
            { date: '2026-11-23', text: 'two' },
          ],
        },
      ]);
      await put(files, CREW_WRITER, { [CREW]: crew });
      const [one] = parseLane('crew', crew).rows[0]?.row?.lessons ?? [];
      const struck = strikeLessons(CREW, crew, one ? [one] : []) ?? '';
      await put(files, GRADUATION_WRITER, { [CREW]: struck });
      expect((await files.read()).texts.get(CREW)).toBe(struck);
      for (const other of [
        struck.replace('probationary', 'stable'),
        `${struck}\n### dev\n`,
        struck.replace('two', 'three'),
      ])
        await expect(put(files, GRADUATION_WRITER, { [CREW]: other })).rejects.toMatchObject({
          code: 'not_lane_writer',
        });
    });

    verifies('roles.file.conflict', 'writers at one time lose nothing of each other', async () => {
      const files = make();
      const names = Array.from({ length: 12 }, (_, index) => `role-${index}`);
      await Promise.all(names.map((each) => written(files, CREW_WRITER, (texts) => minted(texts, each))));
      const rows = parseLane('crew', (await files.read()).texts.get(CREW) ?? '').rows;
      expect(rows.map((row) => row.name).sort()).toEqual(names.sort());
    });

    verifies('roles.file.conflict', 'a change that throws, or wants nothing, writes nothing', async () => {
      const files = make();
      const refused = files.change(CREW_WRITER, () => Promise.reject(new RangeError('no')));
      await expect(refused).rejects.toThrow('no');
      const names: string[] = [];
      const nothing = files.changeUnlessBusy(CREW_WRITER, async (_, write) => {
        const commit = async (name: string) => {
          names.push(name);
          return true;
        };
        await write({ texts: new Map(), proposals: new Map() }, 0, commit);
        return 7;
      });
      expect([await nothing, names]).toEqual([7, ['']]);
      expect((await files.read()).texts.size).toBe(0);
    });

    verifies('one.commit', 'files and proposals stand with their commit, or not at all', async () => {
      const files = make();
      const [texts, proposals] = [minted(new Map(), 'qa'), new Map([['qa-charter-1', 'role: "qa"\n']])];
      const tried = (commit: (name: string) => Promise<boolean>) =>
        files.change(CREW_WRITER, (_, write) => write({ texts, proposals }, 0, commit));
      await tried(async () => false);
      await expect(tried(() => Promise.reject(new Error('the log is full')))).rejects.toThrow('the log is full');
      expect([(await files.read()).texts.size, (await files.proposals()).records]).toEqual([0, []]);
      const names: string[] = [];
      await tried(async (name) => {
        names.push(name);
        return true;
      });
      expect(names).toEqual([expect.stringMatching(/./)]);
      expect(Object.fromEntries((await files.read()).texts)).toEqual(Object.fromEntries(texts));
      await files.change(CREW_WRITER, async (now) => {
        expect(Object.fromEntries(now.texts)).toEqual(Object.fromEntries(texts));
        expect(await now.proposals()).toEqual(await files.proposals());
      });
    });

    verifies('roles.rule.identity', 'proposals are read as they were kept, by id', async () => {
      const files = make();
      const keep = (id: string, text: string) =>
        files.change(CREW_WRITER, (_, write) =>
          write({ texts: new Map(), proposals: new Map([[id, text]]) }, undefined, async () => true),
        );
      expect(await files.proposals()).toEqual({ records: [], warnings: [] });
      await keep('qa-charter-2', 'role: "qa"\ntext: "Two: lines\\nof it"\n');
      await keep('qa-charter-1', 'role: "qa"\n');
      await keep('qa-charter-1', 'role: "qa"\nstate: "rejected"\n');
      expect(await files.proposals()).toEqual({
        records: [
          { id: 'qa-charter-1', value: { role: 'qa', state: 'rejected' } },
          { id: 'qa-charter-2', value: { role: 'qa', text: 'Two: lines\nof it' } },
        ],
        warnings: [],
      });
    });
  });
}
