import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnsavedDialog, useUnsavedWarning } from '../forms/unsaved-changes.tsx';

interface EditModalProps {
  readonly title: string;
  readonly size?: number | string;
  /** The form has unsaved changes. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave` closes the dialog, after confirmation when there are unsaved changes. */
  readonly children: (leave: () => void) => ReactNode;
}

/**
 * Modal dialog with a form. Closing it or the tab with unsaved changes asks for confirmation.
 * Navigation does not: unsaved input is stored as a draft and offered again while the tab is open.
 */
export const EditModal = ({ title, size = 520, dirty, onClose, children }: EditModalProps) => {
  const { t } = useTranslation('shell');
  const [isConfirming, setIsConfirming] = useState(false);
  useUnsavedWarning(dirty);
  const leave = () => (dirty ? setIsConfirming(true) : onClose());
  return (
    <>
      <Modal
        opened
        onClose={leave}
        title={title}
        size={size}
        closeOnEscape={!isConfirming}
        closeOnClickOutside={!isConfirming}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children(leave)}
      </Modal>
      {isConfirming && <UnsavedDialog onDiscard={onClose} onKeep={() => setIsConfirming(false)} />}
    </>
  );
};
