import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import IconCloudCheck from '@tabler/icons-react/dist/esm/icons/IconCloudCheck.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds, uuid } from '../../../contract/bounds.ts';
import type { AzureSettings } from '../../../contract/configuration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { failureOfQuery, refusedFields, useReading } from '../reading.tsx';
import classes from './azure.module.css';
import { RedirectAddress } from './redirect-address.tsx';
import { RemovalQuestion } from './removal-question.tsx';

const fields = ['clientId', 'tenantId'] as const;

interface AzureFormProps {
  /** Null: there are none. */
  readonly saved: AzureSettings | null;
  readonly onClose: () => void;
}

/** The two ids that Azure gave, each 36 characters. The archive asks Azure for the directory before it keeps them. */
export const AzureForm = ({ saved, onClose }: AzureFormProps) => {
  const { t } = useTranslation(['azure', 'shell']);
  const reading = useReading();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [length] = bounds.tenantId;
  const id = (value: string) => {
    const text = value.trim();
    if (text === '') return t('required');
    if (text.length !== length) return t('length', { count: length });
    return uuid.safeParse(text).success ? null : t('noId');
  };
  const form = useForm({
    initialValues: { clientId: saved?.clientId ?? '', tenantId: saved?.tenantId ?? '' },
    validate: { clientId: id, tenantId: id },
  });
  const focus = (name: string | undefined) => form.getInputNode(name ?? '')?.focus();

  const save = async (values: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await reading.saveAzure({ clientId: values.clientId.trim(), tenantId: values.tenantId.trim() });
      toast({ tone: 'good', text: t('saved'), close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      const refused = fields.filter((name) => refusedFields(error).some(({ fieldKey }) => fieldKey === name));
      if (refused.length === 0) return setFailure(failureText(failureOfQuery(error)));
      form.setErrors(
        Object.fromEntries(refused.map((name) => [name, t(name === 'tenantId' ? 'noSuchTenant' : 'noId')])),
      );
      focus(refused[0]);
    }
  };
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await reading.removeAzure();
      toast({ tone: 'good', text: t('removed'), close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      setFailure(failureText(failureOfQuery(error)));
    }
  };
  return (
    <form
      className={classes.body}
      noValidate
      onSubmit={form.onSubmit(
        (values) => void save(values),
        (errors) => focus(Object.keys(errors)[0]),
      )}
    >
      <p className={classes.state} data-on={saved ? true : undefined}>
        {saved && <IconCloudCheck aria-hidden="true" />}
        {saved ? t('isOn') : t('isOff')}
      </p>
      <TextInput
        label={t('clientId')}
        description={t('clientIdHelp')}
        data-autofocus
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('clientId')}
      />
      <TextInput
        label={t('tenantId')}
        description={t('tenantIdHelp')}
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('tenantId')}
      />
      <RedirectAddress />
      <p className={classes.quiet}>{t('who')}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      {asking ? (
        <RemovalQuestion busy={busy} onNo={() => setAsking(false)} onYes={() => void remove()} />
      ) : (
        <div className={classes.buttons}>
          {saved && (
            <Button variant="default" className={classes.remove} disabled={busy} onClick={() => setAsking(true)}>
              {t('remove')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('save')}
          </Button>
        </div>
      )}
    </form>
  );
};
