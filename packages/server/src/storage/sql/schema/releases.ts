/**
 * All migrations of the schema, by number. Lines are added, and never changed: databases were made with them, store the SHA-256 of each,
 * and refuse a program whose text differs.
 */

/** The facts about a migration apart from its SQL. */
export interface Release {
  /** The release that contains it, which a database names to older programs. */
  readonly program: string;
  /** The oldest migration that a program must know to use a database with this one; 1 if it only makes additions. */
  readonly opensWith: number;
  /** The SHA-256 of its SQL on each engine. `npm run check` prints the hash of a new migration. */
  readonly sha256?: { readonly sqlite: string; readonly postgres: string };
}

export const releases: Readonly<Record<number, Release>> = {
  1: {
    program: '0.1.0',
    opensWith: 1,
    sha256: {
      sqlite: '39ac1eb105065e74352ce866232e049b33c2700a8d096ddb031ade95a1626bce',
      postgres: '4f7554c51a808e123408bb1de4aa6b7d24022893c2aedaf9266eba7b6d5fbef0',
    },
  },
  2: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '7e984b9be65d796ec5fde4013f309e53dc758fcb9e0822ea32a0b7fedf9acf78',
      postgres: 'f9fa55aaa99f0c3b574b8adb3d7d2b9b96484fa1c197cb670ac9296bb2c5a36b',
    },
  },
  3: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '0394f19d98026513b6341a2ba1a483276f7ee8c5f3f6a23f95b795d38622b9cb',
      postgres: '518ff991736cdb6258dbc59664d81e2fc0fa1da9ad62a3aadb1b8f5fc9302699',
    },
  },
  4: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '652b918a6050251f93d63e6de12ac144ed4f6c1a6e890984ffeb3d1879387f83',
      postgres: '3e33bd7f563bc2265c811871a4b23349fb761617d28ae30d20867e98f3f99c34',
    },
  },
  5: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'b7f5de9e456f1bcff053fb6367308010c717a4f582cf1862f297439c3fe9d830',
      postgres: '347ef6960e55623a85431ba78cec6f8e324971fc61eca4381a4671ae42042956',
    },
  },
  6: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '91215f9e9b87247680a0624983cab7da4de25dfa026bece8542cff20b1058598',
      postgres: '21a691574af90c368202fdc9c3b4e924fe067793bb9052254e3124076b3344ad',
    },
  },
  7: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '05ecaff942f5411ba31f512a6f4a647068eb3a8c3a2b8cd13ed85d55d8bf39e8',
      postgres: 'c2da76b37e517b7b6cb10ce04dc2d0bcb599cdf6e19e536c91c010188350cb82',
    },
  },
  8: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '7cb8d01b5845a33ed9125f8d2804c1961fc1a43a308ea83c6e733c3e3bbfa54b',
      postgres: 'bed3da87a95b8cdd89404db37281c9600fb571929623020c04bc50626e3e4eb5',
    },
  },
  9: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'a1ac88f0568c631a41f648c3605d4f63c80aa37d054ba2f62663c2d364fc3257',
      postgres: '0a5be29e2239637e07835e26d8351f0bc062a9d7fb06ee8d8057b8d5cee42036',
    },
  },
  10: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '56f461f441f5b96f754702780b817917c17a31c396c97d6e162e8afacfeab7d2',
      postgres: 'f95e043b72056cb44e8404b0734c54def75fc71c65c7fa7c47c71c75c93ef82a',
    },
  },
  11: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'b6702143104f3cd96fcc6c331dab506e5f3fb205a5bed696a052956b343974f9',
      postgres: '8d6dd84c7eb088900ade8e8e251da4463b283ff1e9bee7cd3e67e09b2d26f971',
    },
  },
  12: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'ce17db05526488fbff1d21bb5d519f01bf35f3fddc8acfe92820e5b30fd7b918',
      postgres: '7db6a84dde2637b72d85433a9226057962e0b84ccbae29a9818068a1314e4e33',
    },
  },
  13: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '453237ecbc72f669467b40f92215efdcf76ab1199c868d3593a719850957dd2e',
      postgres: '5476d661efdb771ac37bebe320c635a7e0b3fd6241f08a181dc5ec78c61b6fe6',
    },
  },
  14: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '8d56be8dc5346cd3cb066d1ba000e8f6886032f85f74cc733efd8a201e40dc3b',
      postgres: '6be58ae2169faa10f23e34612516fcd04e83801609091e8957f7a4e5c86b59f1',
    },
  },
  15: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '82ffcdbe8f2ffea32d3e44d072f5ff9e6a03bbb80d814bcb984c352c4d54c497',
      postgres: '787a3fc835e50f11a013306ef4690c0c58928c605f8b62952db0cdf023f56b5a',
    },
  },
  16: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '9e6ca1b0e4c3ef859382939059e48c7bd9011f950d58b937d3f0d282745a0f44',
      postgres: '59715142de090de80d1662bafc1e8d432ea2b6ebb8062a2c0275820404778696',
    },
  },
  17: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'ce3610dde95b58d2c00f1041d38246aee8c9dbef637203ee4696aedddf3d587d',
      postgres: '994fa881a0416adfef36d7dca87526538234a1e1dcee553473d863168a98cfa7',
    },
  },
  18: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'cd7e8e49e8aff2e7f403da9b04251d48a7b365ec58751859fe200c8e68806947',
      postgres: 'ad295034eca81f075f4883536bdb08b488550f5c32818c36f8a5bf5716283514',
    },
  },
  19: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'c5e49adc4446d5ed73910268243e3d3130b4fb58a223e539fbd29103360cd30b',
      postgres: '01924f76f4b9f220e5e73dea18630eac2d6d654e8cea7c8ea8f58e07424a62c8',
    },
  },
  20: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'b3b59c13066ce6f3f69237a3921de4be12efcf7f13a6302083f5dea75c6ccdf2',
      postgres: '6842556efb7097750b2b1599865a962721dcdea9a52cc7cba00da7cc8e1d39ff',
    },
  },
  21: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'b31d9011b9079847aa9a4d5c05998a0fadd22409a0ea4d27140705ea44be3ecb',
      postgres: '08e107675a00586482b9b04a1b80db49b93c947762e9f93109ee6f55b976ddfb',
    },
  },
  22: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'f41c3f2af783d3109097e1684b0b5b9e9b49edd731145a44566cd2f5f711a8c7',
      postgres: 'b50dded61c926427a684e33f306791cd4fbc1d195158d38e0777f953f79ce25c',
    },
  },
  23: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'bdbd2c68a9743d8e2628832dc78214e6acf83db4cfc667d8df04ff24f4fa8276',
      postgres: '11148cd3f5be7e72903ec3bcdf3494e210180e0e3def645bcdc46cc3ba786c97',
    },
  },
  24: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: '92774be710aba48e92163ff35f6a11726d960efe4889d92730fb28fd32a79115',
      postgres: '8f63a010fb6a1eb76f77be7423011b7040a3e3fb9468fd672c90cf793d883049',
    },
  },
  25: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'fb691cd8bfbfaf0d550b67ab3a7cbb1721f9a71750f06cf9be5c8b65525585ae',
      postgres: '00f8fefa559b8bac47506d34af80e07126c8a6367ed6416dfeb3f5a9b7d57c95',
    },
  },
  26: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'd2e31e27929acd9b136ae5615875edb685322068b3568892ed013eac18372a00',
      postgres: '5b727f68026a48ae1416de479349647099d9b282ab0219bb4a17f5a7f063fd28',
    },
  },
  27: {
    program: '0.2.0',
    opensWith: 1,
    sha256: {
      sqlite: 'c2d2237fd0993adba286c4325b9906cf9bac3547e30ab1e2ae0ed87e8ee2962f',
      postgres: 'a1c06af2622484aa3701f1eac8e2b98eed630620d751b82d763428ec04d16b10',
    },
  },
};

/** The newest migration that this program knows. */
export const newestMigration = Math.max(...Object.keys(releases).map(Number));

/** The release that contains it, or will contain it. */
export const newestRelease = (releases[newestMigration] as Release).program;
