/** Examples of schemas. */
const shopSchema = {
  properties: {
    shop: { additionalProperties: { properties: { price: { type: 'integer', minimum: 1 } }, required: ['price'] } },
  },
};

export const schemaExamples = {
  SchemaBody: { version: 3, mode: 'enforce' as const, schema: shopSchema, comment: 'prices are whole numbers' },
  WrittenSchemaBody: {
    version: 4,
    mode: 'report' as const,
    schema: { propertys: {} },
    comment: null,
    warnings: [
      {
        schemaLocation: '#/propertys',
        message: '"propertys" is not a keyword of JSON Schema, so it checks nothing; did you mean "properties"?',
      },
      { schemaLocation: '#', message: 'the schema refuses nothing: every document fits' },
    ],
  },
  ReplaceSchemaBody: { mode: 'report' as const, schema: shopSchema, comment: 'prices are whole numbers' },
  CheckSchemaBody: { state: { shop: { sword: { price: 0 } } } },
  SchemaReportBody: {
    items: [
      {
        schemaLocation: '#/properties/shop/additionalProperties/properties/price/minimum',
        keyword: 'minimum',
        path: '/shop/*/price',
        count: 12,
      },
    ],
  },
};
