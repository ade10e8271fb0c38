import type { TestUser } from './test-users.ts';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const words = {
  sv: {
    warning: 'Testserver. Den som loggar in här bevisar ingenting.',
    who: 'Vem är du?',
    strong: 'Två faktorer',
    go: 'Logga in',
    deny: 'Avbryt',
  },
  en: {
    warning: 'Test server. Whoever signs in here proves nothing.',
    who: 'Who are you?',
    strong: 'Two factors',
    go: 'Sign in',
    deny: 'Cancel',
  },
} as const;

/** Renders the login page, where a user is chosen without a password. In the language of `ui_locales`, Swedish or English. */
export const loginPage = (title: string, action: string, users: readonly TestUser[], locales: string): string => {
  const language = /^(en)\b/.test(locales) ? 'en' : 'sv';
  const text = words[language];
  const choices = users.map(
    ({ id, firstName, lastName, personalNumber }, index) =>
      `<label><input type="radio" name="user" value="${escaped(id)}"${index === 0 ? ' checked' : ''}>
       ${escaped(`${firstName} ${lastName}`)} <small>${personalNumber}</small></label>`,
  );
  return `<!doctype html>
<html lang="${language}" data-locales="${escaped(locales)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<style>
  body { font: 17px/1.5 system-ui, sans-serif; margin: 0; background: #fff7d6; color: #1d1d1d }
  main { max-width: 30rem; margin: 3rem auto; padding: 2rem; background: #fff; border: 3px dashed #b45309; border-radius: 12px }
  h1 { font-size: 1.4rem; margin: 0 } .warning { color: #92400e; font-weight: 600 }
  label { display: flex; gap: .6rem; align-items: center; min-height: 2.6rem } small { color: #555 }
  fieldset { border: 0; padding: 0; margin: 0 } .buttons { display: flex; gap: .8rem; margin-top: 1rem }
  button { font: inherit; min-height: 2.8rem; padding: 0 1.2rem; border-radius: 8px; border: 1px solid #555; background: #fff }
  button[value="yes"] { background: #92400e; border-color: #92400e; color: #fff }
</style></head>
<body><main>
<h1>${escaped(title)}</h1><p class="warning">${text.warning}</p>
<form method="post" action="${escaped(action)}">
<fieldset><legend>${text.who}</legend>${choices.join('\n')}</fieldset>
<label><input type="checkbox" name="strong" value="1" checked> ${text.strong}</label>
<div class="buttons"><button name="go" value="yes">${text.go}</button><button name="go" value="no">${text.deny}</button></div>
</form></main></body></html>`;
};
