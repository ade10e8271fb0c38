import { Button, Modal, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Customer, CustomerDependents } from '../../../contract/customers.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import formClasses from '../forms/form.module.css';
import { QueryFailed } from '../forms/query-failed.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './clinics.module.css';

interface DeleteClinicProps {
  readonly clinic: Customer;
  readonly onClose: () => void;
  readonly onGone: () => void;
}

/** Returns what is deleted with a clinic, without zero counts. */
const Dependents = ({ of }: { readonly of: CustomerDependents }) => {
  const { t } = useTranslation('clinics');
  const lines = [
    of.users > 0 && t('goUsers', { count: of.users }),
    of.patients > 0 && t('goPatients', { count: of.patients }),
    of.studies > 0 && t('goStudies', { count: of.studies }),
    of.images > 0 && t('goImages', { count: of.images }),
    of.imports > 0 && t('goImports', { count: of.imports }),
  ].filter((line) => line !== false);
  if (lines.length === 0) return <p>{t('hiddenNothing')}</p>;
  return (
    <>
      <p>{t('hiddenWith')}</p>
      <ul className={classes.goes}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
};

const isSameName = (typed: string, name: string) =>
  typed.trim().replaceAll(/\s+/g, ' ').toLowerCase() === name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Shows what is deleted with a clinic and requires its name to be typed. */
export const DeleteClinic = ({ clinic, onClose, onGone }: DeleteClinicProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const [typed, setTyped] = useState('');
  const [differs, setDiffers] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { data, error, refetch } = useQuery({
    ...administration.dependents(clinic.id),
    staleTime: 0,
    gcTime: 0,
    enabled: !busy,
  });
  const remove = async () => {
    if (!isSameName(typed, clinic.name)) {
      setDiffers(true);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await administration.deleteCustomer(clinic.id, clinic.version);
      toast({ tone: 'good', text: t('deleted', { name: clinic.name }), close: t('shell:close') });
      onGone();
    } catch (cause) {
      setFailure(failureText(failureOfQuery(cause)));
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteQuestion', { name: clinic.name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form
        className={formClasses.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (data && !busy) void remove();
        }}
      >
        <div className={classes.dependents} aria-live="polite">
          {data && <Dependents of={data} />}
          {!data && !error && (
            <>
              <p>{t('counting')}</p>
              <Skeleton height={72} />
            </>
          )}
          {error && <QueryFailed error={error} onRetry={() => void refetch()} />}
        </div>
        <p className={formClasses.dimmed}>{t('dataKept')}</p>
        <TextInput
          ref={field}
          label={t('typeName')}
          placeholder={clinic.name}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={differs && t('nameDiffers')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setDiffers(false);
          }}
        />
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
        <div className={formClasses.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={busy} disabled={!data}>
            {t('delete')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
