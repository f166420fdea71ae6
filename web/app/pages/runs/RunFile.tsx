import { useMemo } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Dialog } from '../../shell/Dialog.js';
import { Reading } from '../../shell/Reading.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';

/** A file of a run, shown as plain text. The server reads only files inside the folder of the run. */
export function RunFile({ run, file, onClose }: { readonly run: string; readonly file: string; onClose(): void }) {
  const resource = useMemo(() => resourceOf('formation.read', { run, file }), [run, file]);
  const { answer, error } = useResource(resource);
  return (
    <Dialog label={file} className="form-dialog run-file" onClose={onClose}>
      <div className="landing">
        <h2>{inert(file)}</h2>
        {answer !== undefined ? (
          <Reading text={answer.text ?? ''} label={`Text of ${file}`} />
        ) : error !== undefined ? (
          <Failure error={error} />
        ) : (
          <Skeleton rows={4} />
        )}
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <CopyIcon text={`troupe playbook status ${shellWord(inert(run))} --files ${shellWord(inert(file))}`} />
        </div>
      </div>
    </Dialog>
  );
}
