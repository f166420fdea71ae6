import { type ReactNode, useEffect, useRef } from 'react';

/** A modal dialog of the browser: it traps focus, closes on Escape and returns focus. */
export function Dialog({
  label,
  className,
  onClose,
  children,
}: {
  readonly label: string;
  readonly className: string;
  onClose(): void;
  readonly children: ReactNode;
}) {
  const place = useRef<HTMLDialogElement>(null);
  /**
   * Set on unmount: the close event that unmounting causes must not be reported, as another dialog may be open by then.
   */
  const unmounted = useRef(false);
  useEffect(() => {
    const dialog = place.current;
    unmounted.current = false;
    dialog?.showModal();
    return () => {
      unmounted.current = true;
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape does the same
    <dialog
      ref={place}
      className={className}
      aria-label={label}
      onClose={() => {
        if (!unmounted.current && place.current?.open !== true) onClose(); // news of an earlier closing may come after it opened again
      }}
      onClick={(event) => {
        if (event.target === place.current) place.current?.close();
      }}
    >
      {children}
    </dialog>
  );
}
