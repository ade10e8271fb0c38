import { Button, Modal, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DestructionOrder, revocationHours } from '../../../contract/destruction.ts';
import { useRecords } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './form.module.css';

interface ApproveDestructionProps {
  readonly order: DestructionOrder;
  /** What is destroyed. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Approves an order; its reference must be typed again. */
export const ApproveDestruction = ({ order, name, onClose }: ApproveDestructionProps) => {
  const { t } = useTranslation(['destruction', 'shell']);
  const failureText = useFailureText();
  const { approveDestruction } = useRecords();
  const [typed, setTyped] = useState('');
  const [differs, setDiffers] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const approve = async () => {
    if (typed.trim() !== order.reference) {
      setDiffers(true);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await approveDestruction(order.id, typed.trim());
      toast({ tone: 'good', text: t('approvedToast', { hours: revocationHours }), close: t('shell:close') });
      onClose();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('approveTitle')}
      size={520}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void approve();
        }}
      >
        <p>{t(`question-${order.kind}`, { name })}</p>
        <p>{t('approveHelp', { hours: revocationHours })}</p>
        <TextInput
          ref={field}
          label={t('typeReference')}
          placeholder={order.reference}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={differs && t('referenceDiffers')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setDiffers(false);
          }}
        />
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={busy}>
            {t('approve')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
