import path from 'node:path';
import type { PromptSkill, ResolvedSkill } from '#core/runs/prompt-facts.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { PublicWeb, SkillOrigin, Skills } from '#ports/prompt-sources.js';

interface Around {
  readonly projectFolder: string;
  /** Replacement for `~`. */
  readonly home: string;
  readonly web: PublicWeb;
  /** The first `most` bytes of a file. With `inside`, only if its real path is in that folder. */
  readText(file: string, most: number, inside?: string): Promise<{ text: string; more: boolean } | undefined>;
}

/** Skills from this machine and from the internet. */
export class LocalSkills implements Skills {
  private readonly around: Around;

  constructor(around: Around) {
    this.around = around;
  }

  async resolve(refs: readonly PromptSkill[], origin: SkillOrigin): Promise<readonly ResolvedSkill[]> {
    return await Promise.all(refs.slice(0, TEAM_LIMITS.skills).map((ref) => this.resolved(ref, origin)));
  }

  private async resolved(ref: PromptSkill, origin: SkillOrigin): Promise<ResolvedSkill> {
    if ('name' in ref) return { kind: 'name', source: ref.name };
    if ('file' in ref) return await orWarning('file', ref.file, () => this.fileText(ref.file, origin.imported));
    if ('url' in ref) return await orWarning('url', ref.url, () => this.urlText(ref.url, origin));
    const tooLong = Buffer.byteLength(ref.inline) > TEAM_LIMITS.skillBytes;
    return { kind: 'inline', ...(tooLong ? { warning: tooLarge() } : { text: ref.inline }) };
  }

  private async fileText(named: string, imported: boolean): Promise<string> {
    const { projectFolder, home, readText } = this.around;
    if (named.includes('\0')) throw new TroupeError('unsafe_path', { what: 'The name of the file holds NUL.' });
    const file = path.resolve(
      projectFolder,
      named.replace(/^~(?=\/|$)/, () => home),
    );
    const content = await readText(file, TEAM_LIMITS.skillBytes, imported ? projectFolder : undefined);
    if (content === undefined) throw new TroupeError('not_found', { what: 'There is no such file.' });
    if (content.more) throw new TroupeError('too_large', { what: tooLarge() });
    return content.text;
  }

  private async urlText(url: string, { imported, allowHosts }: SkillOrigin): Promise<string> {
    const most = TEAM_LIMITS.skillBytes;
    return await this.around.web.text(url, { most, ...(imported ? { hosts: allowHosts } : {}) });
  }
}

async function orWarning(kind: 'file' | 'url', source: string, text: () => Promise<string>): Promise<ResolvedSkill> {
  try {
    return { kind, source, text: await text() };
  } catch (error) {
    return { kind, source, warning: asTroupeError(error).message }; // the task is done without the skill
  }
}

function tooLarge(): string {
  return `It is larger than ${TEAM_LIMITS.skillBytes} bytes.`;
}
