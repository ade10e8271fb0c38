import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnsavedQuestion } from '../forms/unsaved-question.tsx';
import { useUnsavedWarning } from '../forms/use-unsaved-warning.ts';

interface EditModalProps {
  readonly title: string;
  readonly size?: number | string;
  /** Something was typed or chosen that would be lost. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave`: closes, after a question when something would be lost. */
  readonly children: (leave: () => void) => ReactNode;
}

/**
 * A dialog with a form in it. Whoever closes it with unsaved changes is asked first, and so is who closes the tab. Whoever goes to another page is
 * not: what was written is kept as a draft and offered there, for as long as the tab is open.
 */
export const EditModal = ({ title, size = 520, dirty, onClose, children }: EditModalProps) => {
  const { t } = useTranslation('shell');
  const [asking, setAsking] = useState(false);
  useUnsavedWarning(dirty);
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
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children(leave)}
      </Modal>
      {asking && <UnsavedQuestion onDiscard={onClose} onKeep={() => setAsking(false)} />}
    </>
  );
};
