import { Button, Loader, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useCountText } from '../language/count-text.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { MatchedText } from '../ui/matched-text.tsx';
import { toast } from '../ui/toast.ts';
import clinicSelectClasses from './clinic-select.module.css';
import classes from './form.module.css';

interface ClinicOption {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
}

interface ClinicSelectProps {
  readonly label: string;
  readonly chosen: ClinicOption | null;
  readonly onChoose: (clinic: ClinicOption) => void;
  /** Id of a clinic that cannot be chosen. */
  readonly excludedId: string | null;
}

const maxOptions = 20;
const debounceMs = 250;

/** Searches clinics by name, number or city, and selects one. */
const ClinicSelect = ({ label, chosen, onChoose, excludedId }: ClinicSelectProps) => {
  const { t } = useTranslation('clinics');
  const failureText = useFailureText();
  const countText = useCountText();
  const group = useId();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), debounceMs);
  const clinics = useQuery({
    ...useAdministration().customers({ ppage: maxOptions, ...(q !== '' && { q }) }),
    placeholderData: keepPreviousData,
  });
  const options = clinics.data?.data.filter(({ id }) => id !== excludedId) ?? [];
  return (
    <div className={clinicSelectClasses.choice}>
      <TextInput
        label={label}
        type="search"
        data-autofocus
        placeholder={t('find')}
        maxLength={bounds.query[1]}
        autoComplete="off"
        leftSection={<IconSearch aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={clinicSelectClasses.offered} role="radiogroup" aria-label={label} aria-busy={clinics.isFetching}>
        {options.map((clinic) => (
          <label key={clinic.id} className={clinicSelectClasses.clinic}>
            <input type="radio" name={group} checked={chosen?.id === clinic.id} onChange={() => onChoose(clinic)} />
            <span className={clinicSelectClasses.name}>
              <MatchedText text={clinic.name} query={q} />
            </span>
            <span className={clinicSelectClasses.dimmed}>{clinic.city}</span>
          </label>
        ))}
        {clinics.data && options.length === 0 && <p className={clinicSelectClasses.dimmed}>{t('none')}</p>}
        {clinics.error && <IconAlert>{failureText(failureOfQuery(clinics.error))}</IconAlert>}
      </div>
      {clinics.data?.next && (
        <p className={clinicSelectClasses.dimmed}>
          {t('moreMatch', { shown: options.length, of: countText(clinics.data) })}
        </p>
      )}
    </div>
  );
};

interface ReassignUserProps {
  readonly user: {
    readonly id: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly customer: { readonly id: string; readonly name: string } | null;
  };
  readonly onClose: () => void;
  /** Called after the move; user lists are refetched by then or soon after. */
  readonly onMoved: (clinic: ClinicOption) => void;
}

const ReassignForm = ({ user, onClose, onMoved }: ReassignUserProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const failureText = useFailureText();
  const administration = useAdministration();
  const [chosen, setChosen] = useState<ClinicOption | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const name = `${user.firstName} ${user.lastName}`;
  const move = async (clinic: ClinicOption) => {
    setBusy(true);
    setFailure(null);
    try {
      await administration.reassignUser({ userId: user.id, newCustomerId: clinic.id });
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
      {user.customer && <p>{t('moveFrom', { name, clinic: user.customer.name })}</p>}
      <ClinicSelect label={t('moveTo')} chosen={chosen} onChoose={setChosen} excludedId={user.customer?.id ?? null} />
      <p className={classes.dimmed}>{t('moveHelp')}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
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

/** Dialog that moves a user to another clinic. Render it only while open. */
export const ReassignUser = (props: ReassignUserProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('moveTitle', { name: `${props.user.firstName} ${props.user.lastName}` })}
      size={480}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Suspense fallback={<Loader aria-label={t('shell:loading')} />}>
        <ReassignForm {...props} />
      </Suspense>
    </Modal>
  );
};
