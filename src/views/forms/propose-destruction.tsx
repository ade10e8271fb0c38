import { Button, Modal, Radio, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DestructionBasis, DestructionKind } from '../../../contract/destruction.ts';
import { useRecords } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './form.module.css';

/** A record whose destruction is proposed. */
export interface ProposedSubject {
  readonly kind: DestructionKind;
  readonly id: string;
  readonly name: string;
  /** Whether the retention has ended, so that no decision of the authority is needed; null: not known. */
  readonly isDue: boolean | null;
}

interface ProposeDestructionProps {
  readonly clinicId: string;
  readonly subject: ProposedSubject;
  readonly onClose: () => void;
}

const isFilled = (text: string) => text.trim().length >= 2;

/** Proposes to destroy a record; another administrator approves it. */
export const ProposeDestruction = ({ clinicId, subject, onClose }: ProposeDestructionProps) => {
  const { t } = useTranslation(['destruction', 'new-patient', 'shell']);
  const failureText = useFailureText();
  const { proposeDestruction } = useRecords();
  const [basis, setBasis] = useState<DestructionBasis>(subject.isDue ? 'retention' : 'authority');
  const [reference, setReference] = useState('');
  const [reason, setReason] = useState('');
  const [wasTried, setWasTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const propose = async () => {
    setWasTried(true);
    if (!isFilled(reference) || !isFilled(reason)) return;
    setBusy(true);
    setFailure(null);
    try {
      await proposeDestruction({
        customerId: clinicId,
        kind: subject.kind,
        subjectId: subject.id,
        basis,
        reference,
        reason,
      });
      toast({ tone: 'good', text: t('proposedToast'), close: t('shell:close') });
      onClose();
    } catch (error) {
      const failed = failureOfQuery(error);
      setFailure(failed.code === 'conflict' ? t('alreadyProposed') : failureText(failed));
      setBusy(false);
    }
  };
  const missing = (text: string) => wasTried && !isFilled(text) && t('new-patient:required');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('proposeTitle')}
      size={520}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void propose();
        }}
      >
        <p>{t(`question-${subject.kind}`, { name: subject.name })}</p>
        <p className={classes.dimmed}>{t('proposeHelp')}</p>
        <Radio.Group label={t('basis')} value={basis} onChange={(value) => setBasis(value as DestructionBasis)}>
          <div className={classes.form}>
            <Radio
              value="retention"
              label={t('basis-retention')}
              disabled={subject.isDue === false}
              description={subject.isDue === false ? t('notDue') : undefined}
            />
            <Radio value="authority" label={t('basis-authority')} />
          </div>
        </Radio.Group>
        <TextInput
          label={t('reference')}
          description={t('referenceHelp')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={100}
          value={reference}
          error={missing(reference)}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <Textarea
          label={t('reason')}
          description={t('reasonHelp')}
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          error={missing(reason)}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={busy}>
            {t('propose')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
