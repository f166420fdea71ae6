import path from 'node:path';
import * as z from 'zod/mini';
import { insideProject } from '#core/graph/inside-project.js';
import { ARTIFACT_STATES, type ArtifactMetadata, contentTypeOf, newArtifact } from '#core/teams/artifacts.js';
import { EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { refuseEnded } from '#core/teams/review-work.js';
import { unknownTeam } from '#core/teams/team.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import { uuidOf } from '#kernel/uuid.js';
import type { FilesContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { REPLACE, TEAM_NAME } from '#operations/options.js';
import { requestOf } from '#operations/request-of.js';
import { positive } from '#operations/row-numbers.js';
import { text } from '#operations/shapes.js';
import { teamNamed } from '#operations/teams/team-lookup.js';

export const artifactShape = z.object({
  id: z.string(),
  team_id: z.string(),
  task_id: z.nullable(z.string()),
  attempt: z.nullable(z.number()),
  name: z.string(),
  content_type: z.string(),
  size: z.number(),
  sha256: z.string(),
  state: z.enum(ARTIFACT_STATES),
  created_by: z.string(),
  created_at: z.string(),
});

export function artifactRow(label: ArtifactMetadata): z.infer<typeof artifactShape> {
  const { id, teamId, taskId, attempt, name, contentType, size, sha256, state, createdBy, createdAt } = label;
  return {
    id,
    team_id: teamId,
    task_id: taskId,
    attempt,
    name,
    content_type: contentType,
    size,
    sha256,
    state,
    created_by: createdBy,
    created_at: timestamp(createdAt),
  };
}

/**
 * Returns the bytes of a deliverable: the given text, or a file in the folder of the work. Errors: `usage` unless
 * exactly one is given, `artifact_too_large`, `not_found`.
 */
export async function givenBytes(
  context: Pick<Context, 'files' | 'projectFolder'>,
  { content, file }: { readonly content: string | undefined; readonly file: string | undefined },
  folder: string = context.projectFolder,
): Promise<Uint8Array> {
  if ((content === undefined) === (file === undefined))
    throw new TroupeError('usage', { what: 'Use either --content or --file.' });
  if (file === undefined) return new TextEncoder().encode(content);
  const most = TEAM_LIMITS.deliverableBytes;
  const bytes = await (await context.files()).bytes(insideProject(folder, file), most, folder);
  const named = cut(inert(file), 120);
  if (bytes === 'too-large')
    throw new TroupeError('artifact_too_large', { what: `${named} is larger than ${most} bytes.` });
  if (bytes === undefined)
    throw new TroupeError('not_found', {
      what: `${named} is not a regular file inside the project that can be read.`,
      hint: 'Check the path.',
    });
  return bytes;
}

export const list = operation({
  name: 'artifact.list',
  command: 'team artifacts',
  group: 'Team',
  kind: 'read',
  graphless: true,
  summary: 'List the artifacts of a team, latest first',
  examples: ['troupe team artifacts airlock', 'troupe team artifacts airlock --task seal-the-outer --json'],
  input: z.strictObject({
    team: TEAM_NAME,
    task: option('Only for this task', text, { value: 'ID', names: 'task' }),
    limit: option('At most N', positive, { value: 'N' }),
  }),
  output: z.object({ team_id: z.string(), artifacts: z.array(artifactShape) }),
  async run(context: TeamContext, { team: word, task, limit = TEAM_LIMITS.artifactRowsListed }) {
    const { id } = await teamNamed(context, word);
    const most = Math.min(limit, TEAM_LIMITS.artifactRowsListed);
    const rows = await (await context.teams()).artifacts(id, { ...(task === undefined ? {} : { task }), limit: most });
    return { team_id: id, artifacts: rows.map(artifactRow) };
  },
});

/**
 * Returns an artifact with its content: as text if it is valid UTF-8, else as base64; a file receives the exact bytes.
 */
export const get = operation({
  name: 'artifact.get',
  command: 'team artifact get',
  group: 'Team',
  kind: 'read',
  graphless: true,
  instead: 'team artifacts --get',
  summary: 'Show an artifact, or write it to a file unchanged',
  examples: [
    'troupe team artifacts 2b1c5a60-0000-5000-8000-000000000000 --get',
    'troupe team artifacts 2b1c5a60-0000-5000-8000-000000000000 --get -o seal.md',
  ],
  input: z.strictObject({
    id: argument('The artifact', z.string()),
    output: option('The file to write', text, { short: 'o', value: 'FILE', path: 'always', writes: true }),
    force: REPLACE,
  }),
  output: z.object({
    artifact: artifactShape,
    encoding: z.nullable(z.enum(['utf-8', 'base64'])),
    content: z.nullable(z.string()),
    file: z.nullable(z.string()),
  }),
  async run(context: WorkContext & FilesContext, { id, output, force }) {
    const artifact = await (await context.teams()).artifact(id);
    if (!artifact) {
      throw new TroupeError('not_found', {
        what: `There is no artifact ${cut(inert(id), 60)}.`,
        hint: 'Run `troupe team list` to see the teams.',
      });
    }
    const { content, ...label } = artifact;
    const none = { encoding: null, content: null, file: null };
    if (output !== undefined) {
      const file = await keepOutput(context, output, content, { force });
      return { artifact: artifactRow(label), ...none, file };
    }
    const words = textOf(content);
    const [encoding, shown] =
      words === undefined
        ? (['base64', Buffer.from(content).toString('base64')] as const)
        : (['utf-8', words] as const);
    return { artifact: artifactRow(label), ...none, encoding, content: shown };
  },
});

function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Stores an artifact for the whole team that no task requires; it needs no review. */
export const put = operation({
  name: 'artifact.put',
  command: 'team artifact put',
  group: 'Team',
  kind: 'write',
  graphless: true,
  instead: 'team artifacts --put',
  summary: 'Store a file or a text for the whole team',
  examples: [
    'troupe team artifacts airlock --put --content "Doors open inwards." --name rules.md',
    'troupe team artifacts airlock --put --file README.md',
  ],
  input: z.strictObject({
    team: TEAM_NAME,
    path: option('The file, at most 1 MiB', text, { flag: 'file', value: 'FILE', path: 'always' }),
    content: option('The text', text, { value: 'TEXT' }),
    name: option('Its name (default: the file name)', text, { value: 'TEXT' }),
    content_type: option('Its content type, such as text/markdown', text, { value: 'TYPE' }),
  }),
  output: z.object({ artifact: artifactShape }),
  async run(context: TeamContext & FilesContext, { team: word, path: file, content, name, content_type }) {
    const { id: teamId } = await teamNamed(context, word);
    const artifact = newArtifact({
      id: uuidOf(`artifact ${context.request.requestId ?? context.freshId()}`),
      teamId,
      taskId: null,
      attempt: null,
      name: name ?? (file === undefined ? 'note' : path.basename(file)),
      state: 'current',
      contentType: content_type ?? contentTypeOf(file),
      content: await givenBytes(context, { content, file }),
      createdBy: context.caller.name,
      createdAt: context.clock.now(),
    });
    return await (await context.teams()).changeOnce(requestOf(context), function* (view) {
      const team = yield* view.team(teamId);
      if (!team) throw unknownTeam(word, yield* view.labels());
      refuseEnded(team);
      const { id, sha256, createdAt: at, createdBy: by } = artifact;
      const payload = { artifact: id, name: artifact.name, sha256 };
      const result = { artifact: artifactRow(artifact) };
      return {
        ...EMPTY_TEAM_PLAN,
        artifacts: [artifact],
        events: [{ teamId, at, by, kind: 'artifact-added', payload }],
        result,
      };
    });
  },
});
