import { useState } from 'react';

const SAID_MS = 1_500;

/** The equivalent command, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <div className="command">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${text}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      <span role="status" className="unseen">
        {copied ? 'Copied' : ''}
      </span>
    </div>
  );
}
