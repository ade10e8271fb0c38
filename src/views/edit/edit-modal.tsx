import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './edit.module.css';

interface EditModalProps {
  readonly title: string;
  readonly size?: number | string;
  /** Something was typed or chosen that would be lost. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave`: closes, after a question when something would be lost. */
  readonly children: (leave: () => void) => ReactNode;
}

/** A dialog with a form in it. Whoever leaves it with unsaved changes is asked first. */
export const EditModal = ({ title, size = 520, dirty, onClose, children }: EditModalProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const [asking, setAsking] = useState(false);
  const leave = () => (dirty ? setAsking(true) : onClose());
  return (
    <>
      <Modal
        opened
        onClose={leave}
        title={title}
        size={size}
        closeOnEscape={!asking}
        closeOnClickOutside={!asking}
        closeButtonProps={{ 'aria-label': t('shell:close') }}
      >
        {children(leave)}
      </Modal>
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
          <div className={classes.end}>
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
