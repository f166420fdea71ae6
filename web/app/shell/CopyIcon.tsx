import { useState } from 'react';

const SAID_MS = 1_500;

/**
 * Copies the command that does the same; the command is its name and its tooltip. It is shown where a page cannot act,
 * so that a person has to type it.
 */
export function CopyIcon({ text, shown = false }: { readonly text: string; readonly shown?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  const icon = (
    <>
      <button
        type="button"
        className={copied ? 'copy-icon is-copied' : 'copy-icon'}
        title={text}
        aria-label={`Copy ${text}`}
        onClick={() => void copy()}
      >
        <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
          <path d={copied ? 'M4.5 10.5l3.5 3.5l7.5-8' : 'M7 7h9v9H7zM4 13V4h9'} />
        </svg>
      </button>
      <span role="status" className="unseen">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
  if (!shown) return icon;
  return (
    <span className="copy-line">
      <code>{text}</code>
      {icon}
    </span>
  );
}
