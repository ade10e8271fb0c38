import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Bowser from 'bowser';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../contract/account.ts';
import type { Passkey } from '../../../contract/passkeys.ts';
import { usePasskeys } from '../app/loaded-services.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import { RecoveryCodes } from './codes-step.tsx';
import { usePasskeyFailureText } from './passkey-failure-text.ts';
import { NameForm, RemoveQuestion } from './passkey-forms.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { ProofForm } from './proof-form.tsx';
import classes from './two-factor.module.css';
import { useProvedChange } from './use-proved-change.ts';

type Step =
  | { readonly kind: 'list' | 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

const deviceName = (): string => {
  const { browser, os } = Bowser.parse(navigator.userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 60);
};

interface PasskeysDialogProps {
  readonly user: CurrentUser;
  readonly onClose: () => void;
}

/** Lists, adds, renames and removes the passkeys of the user; a change may first ask who the user is. */
export const PasskeysDialog = ({ user, onClose }: PasskeysDialogProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const failureText = usePasskeyFailureText();
  const passkeys = usePasskeys();
  const { data, error: listError } = useQuery({ ...passkeys.list(), staleTime: 0 });
  const [step, setStep] = useState<Step>({ kind: 'list' });
  const { run, reset, waiting, busy, error } = useProvedChange(failureText);
  const [saved, setSaved] = useState<'no' | 'warned' | 'yes'>('no');
  const top = useRef<HTMLDivElement>(null);
  const place = waiting ? 'proof' : step.kind;
  useEffect(() => {
    if (place !== 'list' || data) (top.current?.querySelector<HTMLElement>('[data-autofocus]') ?? top.current)?.focus();
  }, [place, data]);
  const go = (next: Step) => {
    reset();
    setStep(next);
  };
  const announce = (text: string) => toast({ tone: 'good', text, close: t('shell:close') });
  const add = (name: string) =>
    run(async () => {
      const codes = await passkeys.add(name);
      announce(t('passkeyAdded'));
      go(codes ? { kind: 'codes', codes } : { kind: 'list' });
    });
  const rename = ({ id }: Passkey, name: string) =>
    run(async () => {
      await passkeys.rename(id, name);
      announce(t('passkeyRenamed'));
      go({ kind: 'list' });
    });
  const remove = ({ id }: Passkey) =>
    run(async () => {
      await passkeys.remove(id);
      announce(t('passkeyRemoved'));
      go({ kind: 'list' });
    });
  const close = () => {
    if (step.kind === 'codes' && saved !== 'yes') setSaved('warned');
    else onClose();
  };
  const form = { busy, error, onCancel: () => go({ kind: 'list' }) };
  const titles = {
    proof: t('proofTitle'),
    list: t('passkeys'),
    add: t('addPasskey'),
    rename: t('renamePasskey'),
    remove: step.kind === 'remove' ? t('removePasskey', { name: step.passkey.name }) : '',
    codes: t('codes'),
  };
  return (
    <Modal
      opened
      onClose={close}
      title={titles[place]}
      size={520}
      zIndex={400}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div ref={top} tabIndex={-1} className={classes.top}>
        {waiting && <ProofForm user={user} onProved={() => void run(waiting)} onCancel={form.onCancel} />}
        {place === 'list' && listError && <IconAlert>{failureText(listError)}</IconAlert>}
        {place === 'list' && !listError && (
          <PasskeyList
            list={data}
            canChange={user.restriction === null}
            onAdd={() => go({ kind: 'add' })}
            onRename={(passkey) => go({ kind: 'rename', passkey })}
            onRemove={(passkey) => go({ kind: 'remove', passkey })}
          />
        )}
        {place === 'add' && <NameForm {...form} initial={deviceName()} submit={t('create')} onSubmit={add} />}
        {!waiting && step.kind === 'rename' && (
          <NameForm
            {...form}
            initial={step.passkey.name}
            submit={t('save')}
            onSubmit={(name) => rename(step.passkey, name)}
          />
        )}
        {!waiting && step.kind === 'remove' && (
          <RemoveQuestion
            {...form}
            isLast={!(user.hasAuthenticator ?? false) && data?.passkeys.length === 1}
            onConfirm={() => void remove(step.passkey)}
          />
        )}
        {!waiting && step.kind === 'codes' && (
          <RecoveryCodes
            codes={step.codes}
            email={user.email}
            isConfirmed={saved === 'yes'}
            isWarned={saved === 'warned'}
            onConfirmed={(confirmed) => setSaved(confirmed ? 'yes' : 'no')}
            onFinish={() => (saved === 'yes' ? go({ kind: 'list' }) : setSaved('warned'))}
          />
        )}
      </div>
    </Modal>
  );
};
