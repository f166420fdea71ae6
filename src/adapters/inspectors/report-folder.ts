import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { boundedText } from '#adapters/disk/plain-files.js';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { evidenceSchema, planSchema, type ReviewPlan, reviewId, type StepEvidence } from '#core/review/plan.js';
import { type Report, reportSchema } from '#core/review/report.js';
import { diskCode, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { EvidenceRead, ReportFolder } from '#ports/inspector.js';

const BASE = FROM_PROJECT.reports;

/** Report folders of one project, as files. */
export class FileReportFolder implements ReportFolder {
  private readonly projectFolder: string;

  constructor(projectFolder: string) {
    this.projectFolder = projectFolder;
  }

  path(review: string, file?: string): string {
    return path.posix.join(BASE, safeId(review), ...(file === undefined ? [] : [file]));
  }

  worktree(review: string): string {
    return this.absolute(review, 'worktree');
  }

  async reserve(review: string): Promise<boolean> {
    await this.refuseLinks(review);
    await inOurWords(
      () => mkdir(path.join(this.projectFolder, BASE), { recursive: true, mode: PRIVATE_FOLDER }),
      'the reports folder',
    );
    try {
      await mkdir(this.absolute(review), { mode: PRIVATE_FOLDER });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw diskError(error, this.path(review));
    }
  }

  async discard(review: string): Promise<void> {
    await this.refuseLinks(review);
    await rm(this.absolute(review), { recursive: true, force: true });
  }

  async writePlan(plan: ReviewPlan): Promise<void> {
    await this.write(plan.review, 'plan.json', json(plan));
  }

  async readPlan(review: string): Promise<ReviewPlan> {
    const text = await this.read(review, 'plan.json');
    if (text === undefined) {
      throw new TroupeError('unknown_review', { what: `There is no review “${review}” in this project.` });
    }
    const parsed = planSchema.safeParse(parseJsonObject(text));
    if (!parsed.success)
      throw new TroupeError('corrupt', { what: `${this.path(review, 'plan.json')} is not the plan of a review.` });
    return parsed.data;
  }

  async writeEvidence(review: string, evidence: StepEvidence): Promise<void> {
    await this.write(review, `evidence/${safeId(evidence.node)}.json`, json(evidence));
  }

  async readEvidence(review: string, nodes: readonly string[]): Promise<EvidenceRead[]> {
    const evidence: EvidenceRead[] = [];
    for (const node of nodes) {
      const text = await this.read(review, `evidence/${safeId(node)}.json`);
      const parsed = text === undefined ? undefined : evidenceSchema.safeParse(parseJsonObject(text));
      if (parsed?.success && parsed.data.node === node) evidence.push({ node, evidence: parsed.data });
      else evidence.push({ node, problem: parsed ? 'its evidence cannot be parsed' : 'it left no evidence' });
    }
    return evidence;
  }

  async writeReport(report: Report, pages: { markdown: string; html: string }): Promise<void> {
    await this.write(report.review, 'report.md', pages.markdown);
    await this.write(report.review, 'report.html', pages.html);
    // Written last, because its existence means that the report is complete.
    await this.write(report.review, 'report.json', json(report));
  }

  async readReport(review: string): Promise<{ report?: Report; markdown?: string; html?: string }> {
    const [text, markdown, html] = await Promise.all(
      ['report.json', 'report.md', 'report.html'].map((file) => this.read(review, file)),
    );
    const parsed = text === undefined ? undefined : reportSchema.safeParse(parseJsonObject(text));
    return {
      ...(parsed?.success ? { report: parsed.data } : {}),
      ...(markdown === undefined ? {} : { markdown }),
      ...(html === undefined ? {} : { html }),
    };
  }

  async latest(): Promise<string | undefined> {
    const folder = path.join(this.projectFolder, BASE);
    const names = await readdir(folder).catch(() => []);
    let best: { review: string; at: number } | undefined;
    for (const review of names.filter((name) => reviewId.safeParse(name).success)) {
      const at = await stat(path.join(folder, review, 'plan.json')).then(
        (stats) => stats.mtimeMs,
        () => undefined,
      );
      if (at !== undefined && (best === undefined || at > best.at)) best = { review, at };
    }
    return best?.review;
  }

  private absolute(review: string, ...rest: string[]): string {
    return path.join(this.projectFolder, BASE, safeId(review), ...rest);
  }

  /**
   * Refuses links in the path, which could redirect writes or a deletion elsewhere. Errors: `unsafe_path`, `bad_input`
   * for an invalid review id.
   */
  private async refuseLinks(review: string, ...rest: string[]): Promise<void> {
    let at = this.projectFolder;
    for (const part of [...BASE.split('/'), safeId(review), ...rest]) {
      at = path.join(at, part);
      const stats = await lstat(at).catch(() => undefined);
      if (stats?.isSymbolicLink())
        throw new TroupeError('unsafe_path', { what: `${inert(at)} is a link.`, hint: 'Remove the link.' });
    }
  }

  private async read(review: string, file: string): Promise<string | undefined> {
    await this.refuseLinks(review, ...file.split('/'));
    const name = this.path(review, file);
    const text = await inOurWords(() => boundedText(this.absolute(review, file), SURFACE_LIMITS.reportFileBytes), name);
    return typeof text === 'string' ? text : undefined;
  }

  private async write(review: string, file: string, text: string): Promise<void> {
    await this.refuseLinks(review, ...file.split('/'));
    const at = this.absolute(review, file);
    await inOurWords(
      async () => {
        await mkdir(path.dirname(at), { recursive: true, mode: PRIVATE_FOLDER });
        await writeWhole(at, text);
      },
      this.path(review, file),
    );
  }
}

function safeId(text: string): string {
  if (!reviewId.safeParse(text).success) {
    throw new TroupeError('bad_input', {
      what: `“${inert(text.slice(0, 80))}” is not the name of a review or a step.`,
    });
  }
  return text;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function inOurWords<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, what);
  }
}

/** Translates an error of the file system into an error of Troupe. */
function diskError(error: unknown, what: string): unknown {
  const code = diskCode(error);
  if (code !== undefined) return new TroupeError(code, { why: `While using ${what}.`, cause: error });
  if (['ENOTDIR', 'EEXIST', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))) {
    return new TroupeError('read_only', { why: `Something else is where ${what} should be.`, cause: error });
  }
  return error;
}
