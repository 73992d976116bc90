/** English: one's own account: signing in, devices, tokens, contacts. */
import type { WireCategory } from "#protocol";
import type { AccountKind } from "../../state/people";
import type { ChallengesFrom, Scope } from "../../state/account";

const kinds: Record<AccountKind, string> = { guest: "guest", registered: "account", bot: "bot" };
const categories: Record<WireCategory, string> = {
  bullet: "Bullet",
  blitz: "Blitz",
  rapid: "Rapid",
  classical: "Classical",
  correspondence: "Correspondence",
  chess960: "Chess960",
};
const from: Record<ChallengesFrom, string> = {
  everybody: "Everybody",
  accounts: "Registered players",
  nobody: "Nobody",
};
const scopes: Record<Scope, { name: string; about: string }> = {
  play: { name: "Play", about: "Make moves, chat, and join pools" },
  challenge: { name: "Challenge", about: "Send, accept and decline challenges" },
  bot: { name: "Bot", about: "Turn this account into a bot" },
};

/** The codes that only requests about accounts and people have. */
const codes = {
  no_server: "The server cannot be reached. Nothing was changed.",
  no_identity: "You are no longer signed in here.",
  already_registered: "This browser is signed in already. Reload the page.",
  bad_password: "A password has 10 to 128 characters and is not the name.",
  short_password: "The password is too short: at least 10 characters.",
  long_password: "The password is too long: at most 128 characters.",
  password_is_name: "The password is the same as the name.",
  wrong_password: "The password is wrong.",
  wrong_name_or_password: "There is no account with this name and this password.",
  wrong_code: "There is no account with this name and this recovery code.",
  second_factor_needed: "This account also asks for a code from its owner's app.",
  wrong_second_factor: "This code is wrong, too old, or was used already.",
  has_second_factor: "This account has a second factor already.",
  no_second_factor: "This account has no second factor.",
  not_registered: "This needs a registered account.",
  has_rated_games: "An account that has played rated games cannot become a bot.",
  has_live_games: "Finish your games first.",
  is_admin: "An admin's account cannot do this.",
  too_many_tokens: "You have as many tokens as one may have. Revoke one first.",
  too_many_blocks: "You have blocked as many players as one may. Unblock one first.",
  too_many_reports: "As many reports are waiting as there may be. Try again later.",
  own_account: "This is your own account.",
  too_many_attempts: "There were too many tries.",
  too_many_sign_ins: "Too many people are signing in just now.",
  missing: "Please fill this in.",
  too_many_lines: "A report holds at most 20 messages.",
  other_name: "This is not the name of your account.",
};

export const account = {
  kinds,
  categories,
  codes: codes as Readonly<Record<string, string>>,
  tryAgainIn: (seconds: number) =>
    seconds < 90
      ? `Try again in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`
      : seconds < 5400
        ? `Try again in ${Math.ceil(seconds / 60)} minutes.`
        : `Try again in ${Math.ceil(seconds / 3600)} hours.`,
  sending: "One moment …",
  cancel: "Cancel",
  close: "Close",

  menu: {
    label: (name: string, kind: string) => `${name}, ${kind}: menu`,
    nobody: "Sign in or register: menu",
    signIn: "Sign in",
    register: "Register",
    games: "Your games and ratings",
    account: "Your account",
    name: "Change your name",
    signOut: "Sign out",
    signedOut: "You are signed out.",
  },

  fields: {
    name: "Name",
    password: "Password",
    newPassword: "New password",
    presentPassword: "Present password",
    show: "Show the password",
    passwordHint: "At least 10 characters. A few words are easy to remember and hard to guess.",
    length: (n: number) => `${n} of 10 characters`,
    recoveryCode: "Recovery code",
    secondFactor: "Code from your app",
    secondFactorHint: "The six digits that your app shows now, or a recovery code.",
    deviceCode: "Code from your app",
  },

  signIn: {
    title: "Sign in",
    submit: "Sign in",
    done: (name: string) => `You are signed in as ${name}.`,
    forgotten: "I have forgotten my password",
    withPassword: "Sign in with the password",
    recoverTitle: "Sign in with a recovery code",
    recoverText: "A recovery code works once. It sets a new password and signs out all other devices.",
    recover: "Set the password and sign in",
    noAccount: "Register instead",
    guest: (name: string) =>
      `This browser plays as the guest ${name}. Once you sign in to another account, nobody can play on as that guest. To keep its games, register instead.`,
  },

  register: {
    title: "Register",
    submit: "Register",
    text: "You need only a name and a password. With an account you sign in on any device, and your games can be rated.",
    guest: (name: string) =>
      `Everything that ${name} has stays yours: games, open challenges, and the name unless you choose another.`,
    haveAccount: "I have an account",
    done: (name: string) => `You are registered as ${name}.`,
    noCodes: "The recovery codes could not be made now. Make them on the page of your account.",
  },

  codesShown: {
    title: "Your recovery codes",
    text: "If you forget your password, one of these codes signs you in. Each works once. They are not shown again: save them now, or make new ones later on your account’s page.",
    copy: "Copy the codes",
    save: "Save as a file",
    done: "Done",
  },

  page: {
    title: "Your account",
    nobody: "You are not signed in",
    nobodyText: "Play as a guest without signing in, or use an account that you can sign in to from anywhere.",
    guestTitle: "You are a guest",
    guestText:
      "Only this browser knows you. If its data are deleted, your name and games are nobody's. Register to keep them.",
    since: (day: string) => `since ${day}`,
    mutedUntil: (day: string) => `You may not send chat messages until ${day}.`,
    yourPage: "Your page, as others see it",
  },

  devices: {
    title: "Devices",
    text: "Where this account is signed in.",
    here: "this browser",
    program: "program",
    used: (day: string) => `last used ${day}`,
    end: "Sign out",
    endOf: (label: string) => `Sign out ${label}`,
    ended: (label: string) => `${label} is signed out.`,
    everywhere: "Sign out everywhere",
    everywhereText: "This signs out all devices and programs, this browser too.",
    unnamed: "Unknown device",
  },

  password: {
    title: "Password",
    set: (day: string) => `Set on ${day}.`,
    change: "Change the password",
    about: "This signs out all other devices.",
    submit: "Set the new password",
    done: "The password was changed. All other devices are signed out.",
  },

  secondFactor: {
    title: "Second factor",
    off: "Off. With it, signing in also takes a code from an app on your phone.",
    on: (day: string) => `On since ${day}. Signing in takes a code from your app.`,
    begin: "Set it up",
    beginSubmit: "Go on",
    scan: "Read this picture with an app for one-time codes, or type the key into it.",
    qr: "QR code with the key",
    key: "Key",
    copyKey: "Copy the key",
    confirm: "Turn it on",
    confirmed: "The second factor is on.",
    remove: "Turn it off",
    removed: "The second factor is off.",
  },

  recovery: {
    title: "Recovery codes",
    left: (n: number) => (n === 0 ? "You have none left." : n === 1 ? "You have 1 left." : `You have ${n} left.`),
    about: "With one of them you get in without the password.",
    make: "Make new codes",
    makeAbout: "The codes that you have now will stop working.",
  },

  tokens: {
    title: "Tokens for programs",
    text: "A token lets a program act for you, within the limits that you set.",
    none: "You have none.",
    make: "Make a token",
    name: "What it is for",
    nameHint: "For example: my chess program",
    scopesLabel: "What it may do, besides reading",
    scopes,
    expires: "Works for",
    expiresNames: { 7: "a week", 30: "30 days", 90: "90 days", 365: "a year", 0: "until it is revoked" } as Record<
      number,
      string
    >,
    submit: "Make the token",
    madeTitle: "The new token",
    madeText: "Copy it now: it is shown only here. Whoever has it can do what you have allowed.",
    copy: "Copy the token",
    facts: (scopes: string, used: string, until: string) => [scopes, used, until].filter(Boolean).join(" · "),
    readOnly: "may read only",
    used: (day: string) => `last used ${day}`,
    until: (day: string) => `until ${day}`,
    revoke: "Revoke",
    revokeOf: (name: string) => `Revoke ${name}`,
    revoked: (name: string) => `${name} was revoked.`,
  },

  challenges: {
    title: "Challenges to you",
    who: "Who may challenge you by name",
    from,
    bots: "Bots too",
    categories: "To these games",
    saved: "Saved.",
  },

  blocked: {
    title: "Blocked players",
    text: "Neither of you gets challenges, pairings or chat messages of the other.",
    none: "You have blocked nobody.",
    unblock: "Unblock",
    unblockOf: (name: string) => `Unblock ${name}`,
    unblocked: (name: string) => `${name} is no longer blocked.`,
  },

  data: {
    title: "Your data",
    exportText: "All that this server keeps about you beside your games, as a file.",
    export: "Save my data",
  },

  bot: {
    title: "Become a bot",
    text: "If a program will play with this account, it must be a bot's. It is marked everywhere, and plays rated games only against other bots. This cannot be undone.",
    begin: "Make this account a bot …",
    submit: "Make it a bot for ever",
    done: "This account is a bot's.",
  },

  closing: {
    title: "Close the account",
    text: "Your games stay, with the names that they began with. Everything else about you is deleted, and nobody is given your name again. This cannot be undone.",
    begin: "Close my account …",
    confirm: (name: string) => `Type ${name} to confirm`,
    submit: "Close it for ever",
    done: "The account is closed.",
  },
};
