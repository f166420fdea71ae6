import { TroupeError } from '#kernel/errors.js';

/** Fields of `work.start` that name what is started. */
interface StartNames {
  readonly workflow?: string | undefined;
  readonly blueprint?: string | undefined;
  readonly blueprint_file?: string | undefined;
  readonly intent?: string | undefined;
}

/** Rejects names of which one would be ignored. Errors: `bad_input`. */
export function refuseIgnoredNames({ workflow, blueprint, blueprint_file: file, intent }: StartNames): void {
  const isOfBlueprint = blueprint !== undefined || file !== undefined;
  if (intent !== undefined && !isOfBlueprint)
    throw new TroupeError('bad_input', {
      what: 'An intent says what a blueprint does with the present team: no blueprint is named.',
      hint: 'Name one, as in `troupe run --blueprint support "answer the open mails"`, or leave the intent out.',
    });
  if (blueprint !== undefined && file !== undefined)
    throw new TroupeError('bad_input', {
      what: 'Two blueprints are named, one by its id and one by its file.',
      hint: 'Leave one of them out.',
    });
  if (workflow !== undefined && isOfBlueprint)
    throw new TroupeError('bad_input', {
      what: 'A blueprint runs its own first workflow.',
      hint: 'Leave out the workflow, or run it without the blueprint: `troupe workflow run ID`.',
    });
}
