import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnsavedQuestion } from './unsaved-question.tsx';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface DrawerFormProps {
  readonly title: string;
  /** Something was typed or chosen that would be lost. */
  readonly dirty: boolean;
  readonly onClose: () => void;
  /** `leave`: closes, after a question when something would be lost. */
  readonly children: (leave: () => void) => ReactNode;
}

/**
 * A form in a drawer at the right, beside the list that it belongs to. Draw it only while it is open. Whoever leaves it with unsaved changes,
 * or the page with it (by the browser's back button too), is asked first.
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
        <UnsavedQuestion
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
