/**
 * Decisions, memory, artifacts and reports, as pages to read.
 * @packageDocumentation
 */
import { lazy, type ReactNode, Suspense } from 'react';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import './reading.css';

const Markdown = lazy(() => import('../../shell/Markdown.js'));

/** Files of the team are no entries of the log. */
export const EVERY_MS = 15_000;

/** A page below the tabs, with the command that prints the same. */
export function Page(props: { readonly command: string; readonly choice: ReactNode; readonly children: ReactNode }) {
  const { command, choice, children } = props;
  return (
    <div className="reading-page">
      <div className="reading-tools">
        {choice}
        <CopyIcon text={command} />
      </div>
      {children}
    </div>
  );
}

export function Waiting({ error }: { readonly error: Parameters<typeof Failure>[0]['error'] | undefined }) {
  return error === undefined ? <Skeleton rows={5} /> : <Failure error={error} />;
}

export function Text({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <Suspense fallback={<Skeleton rows={2} />}>
      <Markdown text={text} />
    </Suspense>
  );
}
