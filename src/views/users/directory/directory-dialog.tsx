import '@mantine/core/styles/Table.css';
import { Button, Checkbox, Modal, NativeSelect, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DirectoryToken, directoryTokenDays, directoryTokensAtMost } from '../../../../contract/directory.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { useMomentText } from '../../language/file-error-text.ts';
import { defaultLanguage, languageOf } from '../../language/languages.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { UserQuestion } from '../user-question.tsx';
import classes from './directory.module.css';

type Days = (typeof directoryTokenDays)[number];

export interface NewToken {
  readonly name: string;
  readonly days: Days;
  readonly invites: boolean;
}

const [, , usualDays] = directoryTokenDays;
const daysOf = (text: string): Days => directoryTokenDays.find((days) => String(days) === text) ?? usualDays;

interface TokenFormProps {
  /** Whether the archive can send invitations. */
  readonly isMailed: boolean;
  /** Rejects with the server's error. */
  readonly onCreate: (token: NewToken) => Promise<unknown>;
}

/** Makes a token of a clinic's directory. */
export const TokenForm = ({ isMailed, onCreate }: TokenFormProps) => {
  const { t } = useTranslation('users');
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: '', days: String(usualDays), invites: false },
    validate: { name: (text) => (text.trim().length < 2 ? t('length', { min: 2, max: 100 }) : null) },
  });
  const create = async ({ name, days, invites }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onCreate({ name: name.trim(), days: daysOf(days), invites });
      form.reset();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void create(values))}>
      <h3 className={classes.heading}>{t('directoryNew')}</h3>
      <div className={classes.pair}>
        <TextInput
          label={t('directoryName')}
          placeholder="Microsoft Entra ID"
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label={t('directoryDays')}
          {...form.getInputProps('days')}
          data={directoryTokenDays.map((days) => ({
            value: String(days),
            label: t('directoryDayCount', { count: days }),
          }))}
        />
      </div>
      <Checkbox
        label={t('directoryInvites')}
        description={t(isMailed ? 'directoryInvitesHelp' : 'directoryInvitesNoMail')}
        {...form.getInputProps('invites', { type: 'checkbox' })}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {t('directoryCreate')}
        </Button>
      </div>
    </form>
  );
};

interface TokenListProps {
  readonly tokens: readonly DirectoryToken[];
  readonly onRevoke: (token: DirectoryToken) => void;
}

/** The tokens of a clinic's directory. */
export const TokenList = ({ tokens, onRevoke }: TokenListProps) => {
  const { t } = useTranslation('users');
  const momentText = useMomentText();
  if (tokens.length === 0) return <p className={classes.dimmed}>{t('directoryNone')}</p>;
  return (
    <Table aria-label={t('directoryTokens')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('directoryName')}</Table.Th>
          <Table.Th>{t('fileLinkUntil')}</Table.Th>
          <Table.Th>{t('directoryUsed')}</Table.Th>
          <Table.Th>{t('directoryInvitations')}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <Table.Tr key={token.id}>
            <Table.Th scope="row">{token.name}</Table.Th>
            <Table.Td>
              {new Date(token.expiresAt) > new Date() ? momentText(token.expiresAt) : t('directoryExpired')}
            </Table.Td>
            <Table.Td>{token.usedAt ? momentText(token.usedAt) : t('directoryNever')}</Table.Td>
            <Table.Td>{t(token.invitesIn ? 'on' : 'off')}</Table.Td>
            <Table.Td>
              <Button
                variant="default"
                size="xs"
                aria-label={t('directoryRevokeOf', { name: token.name })}
                onClick={() => onRevoke(token)}
              >
                {t('directoryRevoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

interface DirectoryDialogProps {
  readonly clinic: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Connects a clinic to its directory: the address of the SCIM service, and its tokens. */
export const DirectoryDialog = ({ clinic, onClose }: DirectoryDialogProps) => {
  const { t, i18n } = useTranslation(['users', 'shell']);
  const administration = useAdministration();
  const isMailed = useQuery(useAppQueries().welcome()).data?.hasMailServer ?? false;
  const { data, error, refetch } = useQuery(administration.directoryTokens(clinic.id));
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<DirectoryToken | null>(null);
  const create = async ({ name, days, invites }: NewToken) => {
    const invitesIn = invites ? (languageOf(i18n.language) ?? defaultLanguage) : null;
    const made = await administration.createDirectoryToken({ customerId: clinic.id, name, days, invitesIn });
    setSecret(made.secret);
  };
  if (revoked)
    return (
      <UserQuestion
        title={t('directoryRevokeTitle', { name: revoked.name })}
        text={t('directoryRevokeText')}
        yes={t('directoryRevoke')}
        harms
        onClose={() => setRevoked(null)}
        onYes={async () => {
          await administration.revokeDirectoryToken({ customerId: clinic.id, id: revoked.id });
          setRevoked(null);
        }}
      />
    );
  const tokens = data?.tokens ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('directoryTitle', { clinic: clinic.name })}
      size={760}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.body}>
        <p>{t('directoryLead')}</p>
        <CopyField
          label={t('directoryAddress')}
          description={t('directoryAddressHelp')}
          value={`${window.location.origin}/scim/v2/${clinic.id}`}
          copy={t('copy')}
          copied={t('copied')}
        />
        {secret !== null && (
          <CopyField
            key={secret}
            takesFocus
            label={t('directorySecret')}
            description={t('directorySecretHelp')}
            value={secret}
            copy={t('copy')}
            copied={t('copied')}
          />
        )}
        {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
        {data && <TokenList tokens={tokens} onRevoke={setRevoked} />}
        {data && tokens.length < directoryTokensAtMost && <TokenForm isMailed={isMailed} onCreate={create} />}
        {tokens.length >= directoryTokensAtMost && (
          <p className={classes.dimmed}>{t('directoryFull', { count: directoryTokensAtMost })}</p>
        )}
      </div>
    </Modal>
  );
};
