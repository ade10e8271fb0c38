import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { LockForm, type LockFormProps } from './lock-form.tsx';
import classes from './lock-page.module.css';

/** Covers everything until the session is unlocked. Keys reach nothing behind it. */
export const LockPage = (props: LockFormProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const keepKeys = useEffectEvent((event: KeyboardEvent) => {
    if (!dialog.current?.contains(event.target as Node)) event.stopImmediatePropagation();
  });
  useEffect(() => {
    dialog.current?.showModal();
    document.documentElement.dataset.locked = '';
    const listen = (event: KeyboardEvent) => keepKeys(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      delete document.documentElement.dataset.locked;
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, []);
  return createPortal(
    <dialog
      ref={dialog}
      className={classes.lock}
      aria-labelledby="locked-title"
      onCancel={(event) => event.preventDefault()}
      // A browser may close it at a second Escape.
      onClose={() => dialog.current?.showModal()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <LockForm {...props} />
    </dialog>,
    document.body,
  );
};
