package config

const Schema = schema
