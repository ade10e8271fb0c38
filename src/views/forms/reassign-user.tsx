import { Button, Loader, Modal } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAdministration } from '../administration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';
import { ClinicChoice, type ClinicOffered } from './clinic-choice.tsx';
import classes from './form.module.css';

interface ReassignUserProps {
  readonly person: {
    readonly id: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly customer: { readonly id: string; readonly name: string } | null;
  };
  readonly onClose: () => void;
  /** The person is at the other clinic now; lists of people are being read anew. */
  readonly onMoved: (clinic: ClinicOffered) => void;
}

const Body = ({ person, onClose, onMoved }: ReassignUserProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const [chosen, setChosen] = useState<ClinicOffered | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const name = `${person.firstName} ${person.lastName}`;
  const move = async (clinic: ClinicOffered) => {
    setBusy(true);
    setFailure(null);
    try {
      await administration.reassignUser({ userId: person.id, newCustomerId: clinic.id });
      toast({ tone: 'good', text: t('moved', { name, clinic: clinic.name }), close: t('shell:close') });
      onMoved(clinic);
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen && !busy) void move(chosen);
      }}
    >
      {person.customer && <p>{t('moveFrom', { name, clinic: person.customer.name })}</p>}
      <ClinicChoice label={t('moveTo')} chosen={chosen} onChoose={setChosen} without={person.customer?.id ?? null} />
      <p className={classes.quiet}>{t('moveHelp')}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={chosen === null}>
          {t('move')}
        </Button>
      </div>
    </form>
  );
};

/** Moves a person to another clinic. Draw it only while it is open. */
export const ReassignUser = (props: ReassignUserProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('moveTitle', { name: `${props.person.firstName} ${props.person.lastName}` })}
      size={480}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Suspense fallback={<Loader aria-label={t('shell:loading')} />}>
        <Body {...props} />
      </Suspense>
    </Modal>
  );
};
