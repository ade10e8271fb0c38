import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnsavedDialog, useUnsavedGuard } from './unsaved-changes.tsx';

interface DrawerFormProps {
  readonly title: string;
  /** There are unsaved changes. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave` closes, after a confirmation when there are unsaved changes. */
  readonly children: (leave: () => void) => ReactNode;
}

/**
 * A form in a drawer on the right. Render it only while open. Closing it or leaving the page (also with the back button)
 * asks for confirmation when there are unsaved changes.
 */
export const DrawerForm = ({ title, dirty, onClose, children }: DrawerFormProps) => {
  const { t } = useTranslation('shell');
  const [asking, setAsking] = useState(false);
  const leaving = useUnsavedGuard(dirty);
  const isAsked = asking || leaving !== null;
  const leave = () => (dirty ? setAsking(true) : onClose());
  return (
    <>
      <Drawer
        opened
        onClose={leave}
        position="right"
        size={400}
        title={title}
        closeOnEscape={!isAsked}
        closeOnClickOutside={!isAsked}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children(leave)}
      </Drawer>
      {isAsked && (
        <UnsavedDialog
          onDiscard={() => {
            onClose();
            leaving?.go();
          }}
          onKeep={() => {
            setAsking(false);
            leaving?.stay();
          }}
        />
      )}
    </>
  );
};
