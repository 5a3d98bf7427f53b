/** The files of the Debian package besides the executable: control file, scripts, and the documents that Debian's policy requires. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './server.ts';

const maintainer = 'Holdfast maintainers <holdfast@users.noreply.github.com>';

const source = (path: string) => readFileSync(join(root, path), 'utf8');

/** The unit of a clone, with the executable instead of Node and its cache. */
export function unit(): string {
  const text = source('deploy/systemd/holdfast.service');
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['Documentation=file:///opt/holdfast/docs/install.md', 'Documentation=file:///usr/share/doc/holdfast/install.md'],
    [/# Node itself[^\n]*\nExecStart=[^\n]*/, 'ExecStart=/usr/bin/holdfast serve'],
    ['WorkingDirectory=/opt/holdfast\n', ''],
    ['Environment=NODE_COMPILE_CACHE=%C/holdfast\n', ''],
    [
      '# What it may write: /var/lib/holdfast and, for compiled code, /var/cache/holdfast.',
      '# What it may write: /var/lib/holdfast.',
    ],
    ['CacheDirectory=holdfast\nCacheDirectoryMode=0700\n', ''],
  ];
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    assert.notEqual(next, changed, `the unit has no "${from}"`);
    return next;
  }, text);
}

/** The GCC release that introduced a version of the C++ library's symbols, by the version's last number. */
const gccOfLibrary: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  GLIBCXX_3_4: { 21: 5, 22: 6, 23: 7, 24: 7, 25: 8, 26: 9, 27: 9, 28: 9, 29: 11, 30: 12, 31: 13, 32: 13, 33: 14, 34: 15 },
  CXXABI_1_3: { 9: 5, 10: 6, 11: 7, 12: 9, 13: 11, 14: 12, 15: 14, 16: 15 },
};

/**
 * Returns the packages that the executable needs, with the oldest version that has every symbol. `versions` is the output of `readelf
 * --version-info`. Throws if a version of the C++ library is newer than this table.
 */
export function dependencies(versions: string): string {
  const newest = (name: string) => {
    const found = [...versions.matchAll(new RegExp(`\\b${name.replaceAll('.', '\\.')}\\.(\\d+)\\b`, 'g'))];
    return Math.max(0, ...found.map(([, number]) => Number(number)));
  };
  const gcc = (name: string, table: Readonly<Record<number, number>> = {}) => {
    const version = newest(name);
    if (version > Math.max(...Object.keys(table).map(Number))) throw new Error(`${name}.${version} is not in the table`);
    return table[version] ?? 5;
  };
  const glibc = newest('GLIBC_2');
  assert.ok(glibc > 0, 'the executable names no version of glibc');
  const library = Math.max(gcc('GLIBCXX_3.4', gccOfLibrary.GLIBCXX_3_4), gcc('CXXABI_1.3', gccOfLibrary.CXXABI_1_3));
  // The first package has this name since Debian 11, the second before that.
  return `libc6 (>= 2.${glibc}), libstdc++6 (>= ${library}), libgcc-s1 | libgcc1, libatomic1, passwd`;
}

export interface Control {
  readonly version: string;
  readonly architecture: string;
  readonly description: string;
  readonly depends: string;
  readonly kibibytes: number;
}

export const control = ({ version, architecture, description, depends, kibibytes }: Control): string =>
  `Package: holdfast
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: ${depends}
Recommends: systemd
Section: net
Priority: optional
Description: ${description}
 One executable with an embedded database. Settings are in
 /etc/holdfast/holdfast.env, data is in /var/lib/holdfast.
`;

export const scripts = {
  postinst: `#!/bin/sh
set -e
if ! getent passwd holdfast >/dev/null; then
  if command -v systemd-sysusers >/dev/null; then systemd-sysusers holdfast.conf
  else useradd --system --home-dir /var/lib/holdfast --shell /usr/sbin/nologin --user-group holdfast
  fi
fi
install -d -m 0700 -o holdfast -g holdfast /var/lib/holdfast
chgrp holdfast /etc/holdfast /etc/holdfast/holdfast.env
chmod 0750 /etc/holdfast
chmod 0640 /etc/holdfast/holdfast.env
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ -n "$2" ]; then systemctl try-restart holdfast; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now holdfast; fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
# The data stays, also at a purge: it cannot be made again.
if [ "$1" = purge ] && [ -d /var/lib/holdfast ]; then echo "holdfast: the data in /var/lib/holdfast was kept" >&2; fi
`,
} as const;

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Holdfast
Comment: The executable contains the Node.js runtime, whose licence and those of
 the libraries within it are in node-copyright.gz beside this file.

Files: *
Copyright: 2026 The Holdfast authors
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
`;

const changelog = (version: string, date: Date): string =>
  `holdfast (${version}) unstable; urgency=medium

  * Release ${version}. CHANGELOG.md of the source says what is new.

 -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`;

const manual = (description: string): string => `.TH HOLDFAST 8
.SH NAME
holdfast \\- ${description.replaceAll('-', '\\-')}
.SH SYNOPSIS
.B holdfast
.RI [ COMMAND ]
.RI [ OPTION ]...
.SH DESCRIPTION
Without a command, or with
.BR serve ,
it starts the service and runs it until SIGTERM.
.B holdfast help
lists the commands, and
.B holdfast help
.I COMMAND
explains one. Operator commands run as the user holdfast, with the settings of the service:
.PP
.RS
.nf
sudo \\-u holdfast env SVC_DATA_DIR=/var/lib/holdfast \\e
  holdfast \\-\\-env\\-file /etc/holdfast/holdfast.env doctor
.fi
.RE
.SH FILES
.TP
.I /etc/holdfast/holdfast.env
Settings, one NAME=value a line.
.TP
.I /var/lib/holdfast
The data. It stays when the package is purged.
.TP
.I /usr/share/doc/holdfast/
How to run, upgrade, back up and repair the service.
.SH SEE ALSO
.BR systemctl (1)
`;

/** The manual pages for operators. */
const pages = ['install.md', 'upgrade.md', 'backup.md', 'runbook.md'] as const;

const compressed = (text: string) => gzipSync(text, { level: 9 });

/** The files of the package by path, without the executable. `date` is that of the package. */
export function files(version: string, description: string, date: Date): Readonly<Record<string, string | Uint8Array>> {
  const runtime = `node_modules/node-${process.platform}-${process.arch}/LICENSE`;
  return {
    'usr/lib/systemd/system/holdfast.service': unit(),
    'usr/lib/sysusers.d/holdfast.conf': source('deploy/systemd/holdfast.sysusers'),
    'etc/holdfast/holdfast.env': source('deploy/holdfast.env.example'),
    'usr/share/doc/holdfast/copyright': copyright,
    'usr/share/doc/holdfast/node-copyright.gz': compressed(source(runtime)),
    'usr/share/doc/holdfast/changelog.gz': compressed(changelog(version, date)),
    ...Object.fromEntries(pages.map((page) => [`usr/share/doc/holdfast/${page}`, source(`docs/${page}`)])),
    'usr/share/man/man8/holdfast.8.gz': compressed(manual(description)),
    // The executable is the runtime as published, with its makers' choice of libraries, and contains its program at the end.
    'usr/share/lintian/overrides/holdfast': [
      'holdfast: embedded-library',
      'holdfast: unstripped-binary-or-object',
      'holdfast: hardening-no-pie',
      '',
    ].join('\n'),
  };
}
