import { Button, Drawer, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './form.module.css';

interface DrawerFormProps {
  readonly title: string;
  /** Something was typed or chosen that would be lost. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave`: closes, after a question when something would be lost. */
  readonly children: (leave: () => void) => ReactNode;
}

const elementInFocus = () => (document.activeElement instanceof HTMLElement ? document.activeElement : null);

/**
 * A form in a drawer at the right, beside the list that it belongs to. Draw it only while it is open. Whoever leaves it with unsaved changes,
 * or the page with it, is asked first; then the focus is where it was before.
 */
export const DrawerForm = ({ title, dirty, onClose, children }: DrawerFormProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const [asking, setAsking] = useState(false);
  const [before] = useState(elementInFocus);
  useEffect(
    () => () => {
      // After the drawer has given up the focus that it kept inside.
      setTimeout(() => before?.isConnected && before.focus(), 0);
    },
    [before],
  );
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  const leave = () => (dirty ? setAsking(true) : onClose());
  return (
    <>
      <Drawer
        opened
        onClose={leave}
        position="right"
        size={400}
        title={title}
        closeOnEscape={!asking}
        closeOnClickOutside={!asking}
        closeButtonProps={{ 'aria-label': t('shell:close') }}
      >
        {children(leave)}
      </Drawer>
      {/* Only there while it is asked: one that waits hears the very key that opened it, and closes again. */}
      {asking && (
        <Modal
          opened
          onClose={() => setAsking(false)}
          title={t('unsavedTitle')}
          size={400}
          zIndex={400}
          closeButtonProps={{ 'aria-label': t('shell:close') }}
        >
          <p>{t('unsavedText')}</p>
          <div className={classes.answers} data-below-text>
            <Button variant="default" onClick={onClose}>
              {t('discard')}
            </Button>
            <Button data-autofocus onClick={() => setAsking(false)}>
              {t('keepEditing')}
            </Button>
          </div>
        </Modal>
      )}
    </>
  );
};
