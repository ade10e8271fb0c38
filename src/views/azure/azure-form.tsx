import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import IconCloudCheck from '@tabler/icons-react/dist/esm/icons/IconCloudCheck.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds, uuid } from '../../../contract/bounds.ts';
import type { AzureSettings } from '../../../contract/configuration.ts';
import { upstreamCallbackPath } from '../../../contract/interactions.ts';
import { failureOfQuery, rejectedFields, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import classes from './azure.module.css';

interface RemovalQuestionProps {
  readonly busy: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** Confirms that Azure AD sign-in is removed for all users. */
const RemovalQuestion = ({ busy, onNo, onYes }: RemovalQuestionProps) => {
  const { t } = useTranslation('azure');
  return (
    <div className={classes.removal} role="alertdialog" aria-label={t('removeQuestion')}>
      <strong>{t('removeQuestion')}</strong>
      <p>{t('removeText')}</p>
      <div className={classes.buttons}>
        <Button variant="default" autoFocus disabled={busy} onClick={onNo}>
          {t('keep')}
        </Button>
        <Button color="red.9" loading={busy} onClick={onYes}>
          {t('removeNow')}
        </Button>
      </div>
    </div>
  );
};

/** Shows the redirect URI to register at Azure. */
const RedirectAddress = () => {
  const { t } = useTranslation('azure');
  return (
    <CopyField
      label={t('redirectUri')}
      description={t('redirectUriHelp')}
      value={`${window.location.origin}${upstreamCallbackPath('aad')}`}
      copy={t('copy')}
      copied={t('copied')}
    />
  );
};

const fields = ['clientId', 'tenantId'] as const;

interface AzureFormProps {
  /** Null when nothing is configured. */
  readonly saved: AzureSettings | null;
  readonly onClose: () => void;
}

/** Edits the tenant and client id (36 characters each). The server verifies them with Azure before it saves. */
export const AzureForm = ({ saved, onClose }: AzureFormProps) => {
  const { t } = useTranslation(['azure', 'shell']);
  const queries = useAppQueries();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
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
      await queries.saveAzure({ clientId: values.clientId.trim(), tenantId: values.tenantId.trim() });
      toast({ tone: 'good', text: t('saved'), close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      const rejected = fields.filter((name) => rejectedFields(error).some(({ fieldKey }) => fieldKey === name));
      if (rejected.length === 0) return setFailure(failureText(failureOfQuery(error)));
      form.setErrors(
        Object.fromEntries(rejected.map((name) => [name, t(name === 'tenantId' ? 'noSuchTenant' : 'noId')])),
      );
      focus(rejected[0]);
    }
  };
  const remove = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await queries.removeAzure();
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
      <p className={classes.dimmed}>{t('who')}</p>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      {isRemoving ? (
        <RemovalQuestion busy={busy} onNo={() => setIsRemoving(false)} onYes={() => void remove()} />
      ) : (
        <div className={classes.buttons}>
          {saved && (
            <Button variant="default" className={classes.remove} disabled={busy} onClick={() => setIsRemoving(true)}>
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
